// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/badge.h"
#include "ui/base/messagebar.h"
#include "ui/connections/labelcolor.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/operate/armingbadge.h"
#include "ui/session/sessionpage.h"
#include "ui/window/connectioncontroller.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

namespace tst_sessiontabs {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

ConnectionStatus connectedTo(const QString& server) {
    ConnectionStatus status = connected();
    status.server = server;
    status.profile = profile::ProfileId(u'@' + server);
    return status;
}

profile::ConnectionProfile profileOf(const QString& url) {
    return *profile::ConnectionProfile::fromUrl(url);
}

profile::StoredProfile production() {
    profile::StoredProfile stored;
    stored.profile = profileOf(QStringLiteral("redis://one"));
    stored.profile.id = profile::ProfileId(QStringLiteral("an id of its own"));
    stored.keeping = profile::StoredProfile::Keeping::Saved;
    stored.label = {QStringLiteral("Orders"), profile::Environment::Production, profile::LabelColor::OfEnvironment};
    return stored;
}

}  // namespace

// Several sessions in one window: each has a tab, and menus act on the one in front.
class TestSessionTabs : public WindowTest {
    Q_OBJECT

private:
    QTabWidget& tabs() const { return find<QTabWidget>(QStringLiteral("sessionTabs")); }
    SessionPage& page(int index) const { return *m_window->pages().at(index); }
    static int rows(SessionPage& page) { return page.locksPage().table().model()->rowCount(); }
    // Reports for the session of the page with that number, counted from the first.
    void sayIn(quint64 session, const ConnectionStatus& status) {
        m_engine->session = SessionId(session);
        m_engine->report(status);
    }
    void sayIn(quint64 session, const monitor::MonitorBatch& batch) {
        m_engine->session = SessionId(session);
        m_engine->report(batch);
    }
    void openTwo() {
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("a"), 9s), heldRow(m_clock, lockName("b"), 9s)}));
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        sayIn(2, batchOf({heldRow(m_clock, lockName("c"), 9s)}));
    }
    void ownLockIn(quint64 session, const char* name) {
        m_engine->session = SessionId(session);
        m_engine->report(QList<control::OwnLock>{control::OwnLock{lockName(name), holder(clientB, 1).id, 1, true}});
    }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
    }
    void cleanup() { end(); }

    // Two sessions may see the same locks; so may a session that is opened later.
    void theConsoleIsNamedInEachTab() {
        openTwo();
        const auto name = [this](int index) { return page(index).holders().knowledge().aliases.of(ClientId(clientB)); };
        QCOMPARE(name(1), QString());
        ownLockIn(1, "a");
        QCOMPARE(name(0), QStringLiteral("this console"));
        QCOMPARE(name(1), name(0));
        m_window->connectTo(profileOf(QStringLiteral("redis://three")));
        ConnectionStatus status = connecting();
        status.server = QStringLiteral("three:6379");
        sayIn(3, status);
        QCOMPARE(name(2), name(0));
    }

    void theFirstConnectionTakesTheEmptyPage() {
        QCOMPARE(m_window->pages().size(), 1);
        QVERIFY(!tabs().tabBar()->isVisible());
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        QCOMPARE(m_window->pages().size(), 1);
        QVERIFY(!tabs().tabBar()->isVisible());
    }

    void eachConnectionHasItsTab() {
        openTwo();
        QCOMPARE(m_window->pages().size(), 2);
        QVERIFY(tabs().tabBar()->isVisible());
        QCOMPARE(tabs().tabText(0), QStringLiteral("one:6379"));
        QCOMPARE(tabs().tabText(1), QStringLiteral("two:6379"));
        QCOMPARE(tabs().currentIndex(), 1);
        QCOMPARE(rows(page(0)), 2);
        QCOMPARE(rows(page(1)), 1);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("two:6379")));
    }

    void aTabThatIsBehindIsKeptUpToDate() {
        openTwo();
        sayIn(1, batchOf({heldRow(m_clock, lockName("new"), 9s)}));
        QCOMPARE(rows(page(0)), 3);
        QCOMPARE(rows(page(1)), 1);
    }

    void theMenusActOnTheTabInFront() {
        openTwo();
        tabs().setCurrentIndex(0);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("one:6379")));
        action(QStringLiteral("actionDisconnect")).trigger();
        QCOMPARE(m_engine->closes.size(), size_t{1});
        QCOMPARE(m_engine->closes[0].session, SessionId(1));
    }

    void anActionIsAboutTheSelectionOfTheTabInFront() {
        openTwo();
        page(0).locksPage().table().setCurrentLock(lockName("a"));
        QVERIFY(!action(QStringLiteral("actionForceRelease")).isEnabled());
        tabs().setCurrentIndex(0);
        QVERIFY(action(QStringLiteral("actionForceRelease")).isEnabled());
        QVERIFY(action(QStringLiteral("actionForceRelease")).text().contains(u'a'));
        tabs().setCurrentIndex(1);
        QVERIFY(!action(QStringLiteral("actionForceRelease")).isEnabled());
    }

    void theViewMenuShowsThePanelsOfTheTabInFront() {
        openTwo();
        tabs().setCurrentIndex(0);
        const QList<QAction*> panels = page(0).pageActions().panels;
        QVERIFY(!panels.isEmpty());
        for (QAction* panel : panels)
            QVERIFY(!panel->associatedObjects().isEmpty());
        const auto isInAMenu = [](const QAction* action) {
            const QList<QObject*> places = action->associatedObjects();
            return std::any_of(places.begin(), places.end(),
                               [](QObject* place) { return qobject_cast<QMenu*>(place); });
        };
        QVERIFY(isInAMenu(page(0).pageActions().panels.first()));
        QVERIFY(!isInAMenu(page(1).pageActions().panels.first()));
        tabs().setCurrentIndex(1);
        QVERIFY(!isInAMenu(page(0).pageActions().panels.first()));
        QVERIFY(isInAMenu(page(1).pageActions().panels.first()));
    }

    void aFailedConnectionLeavesThePlaceToTheNext() {
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        ConnectionStatus failed = connectedTo(QStringLiteral("one:6379"));
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::ConnectionRefused, QStringLiteral("refused"));
        sayIn(1, failed);
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        QCOMPARE(m_window->pages().size(), 1);
        QCOMPARE(m_engine->connects.back().endpoint.host, QStringLiteral("two"));
    }

    // A late report of a session that was left is about another server.
    void whatComesLateOfTheSessionBeforeIsDropped() {
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        ConnectionStatus failed = connectedTo(QStringLiteral("one:6379"));
        failed.phase = ConnectionPhase::Failed;
        sayIn(1, failed);
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("late"), 9s)}));
        QCOMPARE(rows(page(0)), 0);
    }

    void theDialogConnectsInANewTabWhereTheOneInFrontIsLive() {
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        action(QStringLiteral("actionConnect")).trigger();
        dialog(QStringLiteral("connectDialog"))->findChild<QAbstractButton*>(QStringLiteral("connectButton"))->click();
        QCOMPARE(m_window->pages().size(), 2);
        QVERIFY(m_engine->closes.empty());
        ConnectionStatus status = connectedTo(QStringLiteral("127.0.0.1:6379"));
        status.phase = ConnectionPhase::Connecting;
        sayIn(2, status);
        sayIn(2, connectedTo(QStringLiteral("127.0.0.1:6379")));
        QVERIFY(!dialog(QStringLiteral("connectDialog")));
    }

    // The settings were opened while its page was in front.
    void aTabMayCloseWhileTheSettingsAreOpen() {
        openTwo();
        action(QStringLiteral("actionSettings")).trigger();
        action(QStringLiteral("actionClosePage")).trigger();
        m_engine->finishClosing(SessionId(2));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        find<QCheckBox>("noticeHeld").setChecked(true);
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 300'000);
    }

    void closingATabEndsItsSession() {
        openTwo();
        action(QStringLiteral("actionClosePage")).trigger();
        QCOMPARE(m_engine->closes.size(), size_t{1});
        QCOMPARE(m_engine->closes[0].session, SessionId(2));
        QCOMPARE(m_window->pages().size(), 2);  // until the session has ended
        m_engine->finishClosing(SessionId(2));
        QCOMPARE(m_window->pages().size(), 1);
        QCOMPARE(tabs().tabText(0), QStringLiteral("one:6379"));
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("one:6379")));
    }

    void closingTheLastTabLeavesAnEmptyOne() {
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        action(QStringLiteral("actionClosePage")).trigger();
        m_engine->finishClosing(SessionId(1));
        QCOMPARE(m_window->pages().size(), 1);
        QVERIFY(page(0).isFree());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Lockkeeper"));
    }

    void closingATabAsksAboutOwnLocks_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<std::optional<control::OwnLocksAtExit>>("closes");
        QTest::newRow("release") << "exitRelease" << std::optional(control::OwnLocksAtExit::Release);
        QTest::newRow("keep") << "exitKeep" << std::optional(control::OwnLocksAtExit::LeaveToLease);
        QTest::newRow("cancel") << "exitCancel" << std::optional<control::OwnLocksAtExit>();
    }
    void closingATabAsksAboutOwnLocks() {
        QFETCH(QString, button);
        QFETCH(std::optional<control::OwnLocksAtExit>, closes);
        openTwo();
        ownLockIn(1, "mine");
        ownLockIn(2, "other");
        tabs().setCurrentIndex(0);
        action(QStringLiteral("actionClosePage")).trigger();
        QVERIFY(m_engine->closes.empty());
        QDialog* asked = dialog(QStringLiteral("exitDialog"));
        QVERIFY(asked);
        const QString locks = asked->findChild<QLabel*>(QStringLiteral("exitLocks"))->text();
        QVERIFY2(locks.contains(QStringLiteral("mine")) && !locks.contains(QStringLiteral("other")), qPrintable(locks));
        asked->findChild<QAbstractButton*>(button)->click();
        QCOMPARE(m_engine->closes.size(), closes ? size_t{1} : size_t{0});
        if (closes) {
            QCOMPARE(m_engine->closes[0].session, SessionId(1));
            QCOMPARE(m_engine->closes[0].ownLocks, *closes);
        }
    }

    void quittingAsksAboutTheLocksOfAllTabs() {
        openTwo();
        ownLockIn(1, "mine");
        ownLockIn(2, "other");
        m_window->close();
        QDialog* asked = dialog(QStringLiteral("exitDialog"));
        QVERIFY(asked);
        const QString locks = asked->findChild<QLabel*>(QStringLiteral("exitLocks"))->text();
        QVERIFY2(locks.contains(QStringLiteral("mine")) && locks.contains(QStringLiteral("other")), qPrintable(locks));
    }

    // The user's names for clients are common to all sessions.
    void anAliasThatIsGivenInOneTabShowsInAll() {
        openTwo();
        page(0).holders().askForAlias(ClientId(clientA));
        QDialog* alias = dialog(QStringLiteral("aliasDialog"));
        QVERIFY(alias);
        alias->findChild<QLineEdit*>()->setText(QStringLiteral("billing"));
        alias->accept();
        QCOMPARE(page(1).holders().knowledge().aliases.of(ClientId(clientA)), QStringLiteral("billing"));
    }

    // ---- saved connections ----

    void theEnvironmentIsOnTabTitleAndToolBar() {
        m_window->open(production());
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        ConnectionStatus status = connectedTo(QStringLiteral("one:6379"));
        status.readOnly = true;
        sayIn(1, status);
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Orders (Production) - Lockkeeper"));
        QCOMPARE(tabs().tabText(0), QStringLiteral("Orders"));
        QCOMPARE(find<Badge>(QStringLiteral("tabBadge")).text(), QStringLiteral("Production · READ-ONLY"));
        const Badge& badge = find<Badge>(QStringLiteral("environmentBadge"));
        QVERIFY(badge.isVisible());
        QCOMPARE(badge.text(), QStringLiteral("Production · Orders"));
        QCOMPARE(badge.background(), labelColor(production().label));
        const ArmingBadge& arming = find<ArmingBadge>(QStringLiteral("armingBadge"));
        QVERIFY(arming.isVisible());
        QCOMPARE(arming.text(), QStringLiteral("READ-ONLY"));
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        QVERIFY(!badge.isVisible());
        QCOMPARE(arming.text(), QStringLiteral("ARMED"));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("two:6379 - Lockkeeper"));
        tabs().setCurrentIndex(0);
        QVERIFY(badge.isVisible());
    }

    // Tabs beside it keep their room; the whole name is in the tip.
    void aLongNameDoesNotMakeAWideTab() {
        profile::StoredProfile stored = production();
        stored.label.name = QStringLiteral("Orders of the whole company ").repeated(8).trimmed();
        m_window->resize(1024, 700);
        m_window->open(stored);
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        QCoreApplication::processEvents();
        QVERIFY2(tabs().tabText(0).startsWith(QStringLiteral("Orders of th")), qPrintable(tabs().tabText(0)));
        QVERIFY(tabs().tabText(0).contains(u'…'));
        QVERIFY(tabs().tabBar()->tabRect(0).width() < 500);
        QVERIFY(tabs().tabBar()->tabRect(1).right() < m_window->width());
        QVERIFY(tabs().tabToolTip(0).contains(stored.label.name));
    }

    // Also in a dialog that is open.
    void aLabelThatIsChangedCountsWhereTheConnectionIsOpen() {
        KnownConnections& known = m_window->findChild<ConnectionController*>()->known();
        profile::StoredProfile staging = production();
        staging.label.environment = profile::Environment::Staging;
        QVERIFY(known.save(staging));
        m_window->open(staging);
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("a"), 9s)}));
        page(0).locksPage().table().setCurrentLock(lockName("a"));
        action(QStringLiteral("actionForceRelease")).trigger();
        const auto* name =
            dialog(QStringLiteral("forceReleaseDialog"))->findChild<QLineEdit*>(QStringLiteral("forceName"));
        QVERIFY(!name->isVisible());
        QVERIFY(known.save(production()));
        QVERIFY(name->isVisible());
        QCOMPARE(find<Badge>(QStringLiteral("environmentBadge")).text(), QStringLiteral("Production · Orders"));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Orders (Production) - Lockkeeper"));
    }

    void theEnvironmentIsOnEveryDialogThatWrites_data() {
        QTest::addColumn<QString>("opener");
        QTest::addColumn<QString>("dialogName");
        QTest::newRow("acquire") << "actionAcquire"
                                 << "acquireDialog";
        QTest::newRow("force-release") << "actionForceRelease"
                                       << "forceReleaseDialog";
    }
    void theEnvironmentIsOnEveryDialogThatWrites() {
        QFETCH(const QString, opener);
        QFETCH(const QString, dialogName);
        m_window->open(production());
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("a"), 9s)}));
        page(0).locksPage().table().setCurrentLock(lockName("a"));
        action(opener).trigger();
        const Badge* badge = dialog(dialogName)->findChild<Badge*>(QStringLiteral("connectionBadge"));
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("Production · Orders · one:6379"));
        QCOMPARE(badge->background(), labelColor(production().label));
    }

    void allOfItFitsIntoASmallWindow() {
        constexpr QSize small(1024, 700);
        m_window->resize(small);
        m_window->open(production());
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("a"), 9s)}));
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        QCoreApplication::processEvents();
        QCOMPARE(m_window->size(), small);
        for (int tab : {0, 1}) {
            tabs().setCurrentIndex(tab);
            QCoreApplication::processEvents();
            const QWidget& bar = *page(tab).statusBar();
            QVERIFY(bar.isVisible());
            QVERIFY2(bar.mapTo(m_window.get(), QPoint(0, bar.height())).y() <= small.height(),
                     "the status bar is cut off");
            QCOMPARE(bar.visibleRegion().boundingRect().height(), bar.height());
        }
        const QWidget& badge = find<Badge>(QStringLiteral("environmentBadge"));
        tabs().setCurrentIndex(0);
        QCoreApplication::processEvents();
        QVERIFY(badge.mapTo(m_window.get(), QPoint(badge.width(), 0)).x() <= small.width());
    }

    void theTimesOfALostConnectionAreNotCutInASmallWindow() {
        m_window->resize(1024, 700);
        m_window->connectTo(profileOf(QStringLiteral("redis://one")));
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        sayIn(1, batchOf({heldRow(m_clock, lockName("a"), 29min + 19s)}));
        sayIn(1, reconnecting(m_clock.wallNow()));
        QCoreApplication::processEvents();
        const QTableView& table = page(0).locksPage().table();
        QVERIFY(table.columnWidth(LockTableModel::Ttl) >=
                table.fontMetrics().horizontalAdvance(QStringLiteral("was 29 min")) + 2 * 6);
    }

    void anOpenConnectionIsNotOpenedTwice() {
        m_window->open(production());
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        m_window->connectTo(profileOf(QStringLiteral("redis://two")));
        sayIn(2, connectedTo(QStringLiteral("two:6379")));
        QCOMPARE(tabs().currentIndex(), 1);
        m_window->open(production());
        QCOMPARE(tabs().currentIndex(), 0);
        QCOMPARE(m_engine->connects.size(), size_t{2});
    }

    void theStartPageShowsWhatIsOpenInOtherTabs() {
        QVERIFY(m_profiles->keep(production()).ok());
        m_window->open(production());
        QTRY_COMPARE(m_engine->connects.size(), size_t{1});
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        action(QStringLiteral("actionNewTab")).trigger();
        QCOMPARE(tabs().count(), 2);
        QCOMPARE(tabs().currentIndex(), 1);
        tabs().setCurrentIndex(0);
        action(QStringLiteral("actionNewTab")).trigger();  // the new tab that is there already
        QCOMPARE(tabs().count(), 2);
        QCOMPARE(tabs().currentIndex(), 1);
        const auto* list = m_window->findChildren<QListView*>(QStringLiteral("connectionList")).last();
        const auto spoken = [list] { return list->model()->index(1, 0).data(Qt::AccessibleTextRole).toString(); };
        QTRY_VERIFY2(spoken().contains(QStringLiteral("connected")), qPrintable(spoken()));
        sayIn(1, reconnecting(m_clock.wallNow()));
        QTRY_VERIFY2(spoken().contains(QStringLiteral("connection lost")), qPrintable(spoken()));
    }

    void aConnectionThatAsksForItsPasswordOpensInTheDialog() {
        profile::StoredProfile asking = production();
        asking.secrets = profile::StoredProfile::Secrets::AskedEachTime;
        m_window->open(asking);
        const QDialog* asked = dialog(QStringLiteral("connectDialog"));
        QVERIFY(asked);
        QCOMPARE(asked->findChild<QLineEdit*>(QStringLiteral("connectName"))->text(), QStringLiteral("Orders"));
        QVERIFY(m_engine->connects.empty());
    }

    void aTestOfTheDialogLeavesNoSession() {
        action(QStringLiteral("actionConnect")).trigger();
        QDialog* asked = dialog(QStringLiteral("connectDialog"));
        asked->findChild<QAbstractButton*>(QStringLiteral("connectTest"))->click();
        QCOMPARE(m_engine->connects.size(), size_t{1});
        QVERIFY2(m_engine->connects[0].id.isEmpty(), "it keeps no history");
        sayIn(1, connectedTo(QStringLiteral("one:6379")));
        QCOMPARE(m_engine->closes.size(), size_t{1});
        QVERIFY(find<QWidget>(QStringLiteral("startPage")).isVisible());
        QVERIFY(asked->isVisible());
    }

    void troubleWithTheDiskIsSaidInFront() {
        openTwo();
        m_engine->failHistory(Error(ErrorCode::Storage, QStringLiteral("disk is full")));
        QVERIFY(!page(1).messages().texts().isEmpty());
        QVERIFY(page(0).messages().texts().isEmpty());
    }
};

LOCKKEEPER_TEST(TestSessionTabs, Gui)

}  // namespace tst_sessiontabs

#include "tst_sessiontabs.moc"
