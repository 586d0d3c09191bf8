// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/pseudotranslator.h"
#include "support/samplenodes.h"
#include "support/windowtest.h"
#include "ui/base/messagebar.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTest>

#include <functional>

namespace tst_retranslation {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

using MakeMessage = std::function<void(FakeEngine&, MainWindow&)>;

// While the real window and its dialogs are open, the language changes to one in which every text stands in brackets. A
// text without brackets was never marked for translation, or was not set again.
class TestRetranslation : public WindowTest {
    Q_OBJECT

private:
    void connectWithLocks() {
        m_engine->report(connecting());
        m_engine->report(connected());
        monitor::MonitorBatch batch =
            batchOf({diagnosedRow(m_clock, lockName("#1"), {watchdogStopped(m_clock)}),
                     heldRow(m_clock, lockName("#2"), 20s, holder(clientB, 1)), freeRow(m_clock, lockName("#3")),
                     neverExpiringRow(m_clock, lockName("#4"))});
        batch.events = {eventOf(m_clock, monitor::EventType::Acquired, *batch.changed.front())};
        batch.stats = monitor::MonitorStats();
        batch.stats->faultyLocks = 1;
        batch.stats->knownLocks = 4;
        batch.stats->heldLocks = 3;
        batch.stats->sweepsDone = 1;
        m_engine->report(batch);
        m_engine->report(QList<control::OwnLock>{control::OwnLock{lockName("#2"), holder(clientB, 1).id, 1, true}});
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("#1"));
    }
    // opener: an action, a button, or nothing.
    void open(const QString& opener) {
        if (auto* action = m_window->findChild<QAction*>(opener))
            action->trigger();
        else if (auto* button = m_window->findChild<QAbstractButton*>(opener))
            button->click();
    }
    [[nodiscard]] const QWidget* opened(const QString& dialog) const {
        if (dialog.isEmpty())
            return m_window.get();
        for (const QWidget* top : QApplication::topLevelWidgets()) {
            if (top->objectName() == dialog)
                return top;
        }
        return nullptr;
    }
    [[nodiscard]] MessageBar& messages() const { return m_window->currentPage().messages(); }

    // The language change is posted to each window.
    void changeLanguage() {
        QCoreApplication::installTranslator(&m_pseudo);
        QCoreApplication::processEvents();
    }
    void changeLanguageBack() {
        QCoreApplication::removeTranslator(&m_pseudo);
        QCoreApplication::processEvents();
    }
    void verifyNothingIsStale() {
        m_stale.removeDuplicates();
        QVERIFY2(m_stale.isEmpty(), qPrintable(u'\n' + m_stale.join(u'\n')));
    }

    // ---- what must be on the screen ----

    // Names of locks and clients, addresses, times, numbers, keys, sizes (QLocale words these itself): what no
    // translator may change.
    static bool isData(QString text) {
        static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
        static const QRegularExpression data(QStringLiteral(
            "redis(s|\\+unix)?://\\S*|redis\\.example\\.com\\S*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\S*|"
            "^ACL SETUSER .*$|[0-9a-f][0-9a-f-]{3,}(…|:)\\S*|redisson_\\S*|^[A-Z]$|\\b(Ctrl|Shift|Alt|F\\d+|Del|Esc|Ins)\\b|"
            "\\b[\\d.,]+ (bytes|[kMG]B)"));
        text.remove(tags).remove(data);
        return std::none_of(text.cbegin(), text.cend(), [](QChar c) { return c.isLetter(); });
    }
    // What remains once the bracketed parts, which may hold others, are taken out.
    static QString unbracketed(const QString& text) {
        QString outside;
        int depth = 0;
        for (const QChar c : text) {
            depth += c == u'⟦' ? 1 : 0;
            if (depth == 0)
                outside += c;
            depth -= c == u'⟧' ? 1 : 0;
        }
        return outside;
    }
    void check(const QObject& object, const char* what, const QString& text) {
        if (!isData(unbracketed(text)))
            m_stale << QStringLiteral("%1 %2 (%3): %4")
                           .arg(QString::fromLatin1(object.metaObject()->className()), object.objectName(),
                                QString::fromLatin1(what), text.left(120));
    }
    // The properties that hold texts on screen or for a screen reader.
    void checkObject(const QObject& object) {
        for (const char* property : {"windowTitle", "title", "toolTip", "whatsThis", "statusTip", "accessibleName",
                                     "accessibleDescription", "placeholderText", "specialValueText", "iconText"})
            check(object, property, object.property(property).toString());
        // What the user types is no text of the program.
        const bool isField = qobject_cast<const QLineEdit*>(&object) || qobject_cast<const QSpinBox*>(&object) ||
                             object.inherits("QComboBoxPrivateContainer");
        if (!isField)
            check(object, "text", object.property("text").toString());
        if (const auto* plain = qobject_cast<const QPlainTextEdit*>(&object); plain && plain->isReadOnly())
            check(object, "plainText", plain->toPlainText());
        if (const auto* tabs = qobject_cast<const QTabBar*>(&object)) {
            for (int i = 0; i < tabs->count(); ++i) {
                check(object, "tab", tabs->tabText(i));
                check(object, "tab's tool tip", tabs->tabToolTip(i));
            }
        }
        if (const auto* combo = qobject_cast<const QComboBox*>(&object))
            checkModel(object, *combo->model());
        // The titles of the manual's pages are those of its files.
        const bool isContents = object.objectName() == QStringLiteral("manualList");
        if (const auto* view = qobject_cast<const QAbstractItemView*>(&object); view && view->model() && !isContents)
            checkModel(object, *view->model());
    }
    void checkModel(const QObject& object, const QAbstractItemModel& model) {
        for (int column = 0; column < model.columnCount(); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::WhatsThisRole})
                check(object, "header", model.headerData(column, Qt::Horizontal, role).toString());
            for (int row = 0; row < std::min(model.rowCount(), 50); ++row) {
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                    check(object, "cell", model.index(row, column).data(role).toString());
            }
        }
    }
    static bool isQtsOwn(const QObject& object) {
        // Internal widgets of Qt's. The buttons inside a tab bar keep the language in which they were made.
        return object.objectName().startsWith(QStringLiteral("qt_")) || qobject_cast<const QTabBar*>(object.parent());
    }
    void checkTree(const QObject& root) {
        checkObject(root);
        // The parts of the dialog are Qt's, and it shows the names of files.
        if (const auto* files = qobject_cast<const QFileDialog*>(&root)) {
            check(root, "name filter", files->nameFilters().join(QString()));
            return;
        }
        for (const QObject* object : root.findChildren<QObject*>()) {
            if (!isQtsOwn(*object) && (object->isWidgetType() || qobject_cast<const QAction*>(object)))
                checkObject(*object);
        }
    }

    PseudoTranslator m_pseudo;
    QStringList m_stale;

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        // A text that is cut for lack of room cannot be compared.
        m_window->resize(1920, 1080);
        m_stale.clear();
    }
    void cleanup() {
        changeLanguageBack();
        end();
    }

    void pluralsAreEnglish_data() {
        QTest::addColumn<int>("locks");
        QTest::addColumn<QString>("text");
        QTest::newRow("one") << 1 << QStringLiteral("1 lock");
        QTest::newRow("several") << 2 << QStringLiteral("2 locks");
        QTest::newRow("none") << 0 << QStringLiteral("0 locks");
    }
    void pluralsAreEnglish() {
        QFETCH(const int, locks);
        m_engine->report(connected());
        for (int i = 0; i < locks; ++i)
            m_engine->report(batchOf({heldRow(m_clock, LockName(QByteArray::number(i)), 20s)}));
        QTEST(m_window->findChild<QLabel*>(QStringLiteral("lockCount"))->text(), "text");
    }

    // Tests each open dialog, or the window alone, before and after the connection.
    void everyTextFollowsTheLanguage_data() {
        QTest::addColumn<QString>("opener");
        QTest::addColumn<QString>("dialog");
        const auto row = [](const char* opener, const char* dialog) {
            QTest::addRow("%s by %s", *dialog ? dialog : "window", *opener ? opener : "itself") << opener << dialog;
        };
        row("", "");
        row("actionConnect", "connectDialog");
        row("actionArm", "armDialog");
        row("actionRights", "rightsDialog");
        row("actionCheck", "checkDialog");
        row("actionAcquire", "acquireDialog");
        row("actionForceRelease", "forceReleaseDialog");
        row("actionWaits", "waitDialog");
        row("actionAbout", "aboutBox");
        row("actionLookup", "lookupDialog");
        row("actionNotices", "settingsDialog");
        row("actionRetention", "settingsDialog");
        row("actionAudit", "auditDialog");
        row("actionNoticeHistory", "noticeHistoryDialog");
        row("actionImportProfiles", "importProfilesDialog");
        row("actionSettings", "settingsDialog");
        row("actionShortcuts", "shortcutsDialog");
        row("actionPalette", "paletteDialog");
        row("actionClosePage", "exitDialog");
        row("actionManual", "manualWindow");
        row("timelineLegend", "timelineLegendPopup");
        row("holderFind", "identifyDialog");
        row("holderAlias", "aliasDialog");
        row("holderDump", "fetchDumpDialog");
        row("actionExportLocks", "exportDialog");
        row("actionExportEvents", "exportDialog");
        row("actionExportSynchronizers", "exportDialog");
        row("actionExportTimeline", "exportDialog");
        row("actionExportWindow", "exportDialog");
    }
    void everyTextFollowsTheLanguage() {
        QFETCH(const QString, opener);
        QFETCH(const QString, dialog);
        connectWithLocks();
        if (opener == QStringLiteral("actionArm"))
            m_engine->report(Arming());
        open(opener);
        QVERIFY(opened(dialog));
        changeLanguage();
        checkTree(*opened(dialog));
        verifyNothingIsStale();
    }

    void everyStateFollowsTheLanguage_data() {
        QTest::addColumn<ConnectionStatus>("status");
        ConnectionStatus demo = connected();
        demo.server = QStringLiteral("demo");
        demo.isDemo = true;
        QTest::newRow("the demo") << demo;
        QTest::newRow("reconnecting") << reconnecting(WallTime());
        ConnectionStatus failed = connecting();
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::Protocol, Cause::NotRedis, {QStringLiteral("#")});
        QTest::newRow("failed") << failed;
        ConnectionStatus disconnected = connected();
        disconnected.phase = ConnectionPhase::Disconnected;
        QTest::newRow("disconnected") << disconnected;
    }
    void everyStateFollowsTheLanguage() {
        QFETCH(const ConnectionStatus, status);
        connectWithLocks();
        m_engine->report(status);
        changeLanguage();
        checkTree(*m_window);
        verifyNothingIsStale();
    }

    void theNodesFollowTheLanguage_data() {
        QTest::addColumn<QList<monitor::NodeStatus>>("nodes");
        monitor::NodeStatus fresh = watchedNode(7003);
        fresh.phase = monitor::NodePhase::Connecting;
        const WallTime then(1h);
        QTest::newRow("one is lost") << QList{watchedNode(7001), lostNode(7002, then), fresh};
        QTest::newRow("one was never reached") << QList{watchedNode(7001), lostNode(7002)};
        QTest::newRow("two are lost") << QList{watchedNode(7001), lostNode(7002, then), lostNode(7003, then)};
        QTest::newRow("without a Cluster") << QList<monitor::NodeStatus>();
    }
    void theNodesFollowTheLanguage() {
        QFETCH(const QList<monitor::NodeStatus>, nodes);
        connectWithLocks();
        m_engine->report(batchOf({onNode(heldRow(m_clock, lockName("#1"), 20s), lostNode(7002))}));
        m_engine->report(batchOf(nodes));
        changeLanguage();
        checkTree(*m_window);
        verifyNothingIsStale();
    }

    void aLossFollowsTheLanguage() {
        connectWithLocks();
        m_engine->report(OwnLockLost{lockName("#2"), locks::LossReason::TakenAway});
        changeLanguage();
        checkTree(*m_window);
        verifyNothingIsStale();
    }

    // A message stays on the screen after the event that it reports.
    void everyMessageFollowsTheLanguage_data() {
        QTest::addColumn<MakeMessage>("make");
        const auto row = [](const char* name, const MakeMessage& make) { QTest::newRow(name) << make; };
        const Error error(ErrorCode::Storage, Cause::FileNotRenamed, {QStringLiteral("#")});
        row("its time to write is over", [](FakeEngine& engine, MainWindow&) {
            Arming over;
            over.ended = ArmingEnd::TimeOver;
            engine.report(over);
        });
        row("the history cannot be written", [error](FakeEngine& engine, MainWindow&) { engine.failHistory(error); });
        row("the history was renamed",
            [](FakeEngine& engine, MainWindow&) { engine.setHistoryAside(QStringLiteral("#")); });
        row("an operation ends", [error](FakeEngine& engine, MainWindow& window) {
            window.findChild<QAction*>(QStringLiteral("actionRelease"))->trigger();
            engine.finishLast(control::failure(lockName("#2"), error));
        });
    }
    void everyMessageFollowsTheLanguage() {
        QFETCH(const MakeMessage, make);
        connectWithLocks();
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("#2"));
        make(*m_engine, *m_window);
        const QStringList english = messages().texts();
        QCOMPARE(english.size(), 1);
        changeLanguage();
        const QString text = messages().texts().value(0);
        QVERIFY2(text != english.first() && isData(unbracketed(text)), qPrintable(text));
        changeLanguageBack();
        QCOMPARE(messages().texts(), english);
    }

    void theWordsWhileTheProgramEndsFollowTheLanguage() {
        m_window->close();
        changeLanguage();
        checkTree(*m_window);
        const QString shown = m_window->currentPage().statusBar()->currentMessage();
        QVERIFY2(!shown.isEmpty() && isData(unbracketed(shown)), qPrintable(shown));
    }

    void theKnownConnectionsFollowTheLanguage() {
        profile::StoredProfile saved;
        saved.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://redis.example.com"));
        saved.profile.access = redis::AccessMode::ReadOnly;
        saved.keeping = profile::StoredProfile::Keeping::Saved;
        saved.label = {QStringLiteral("#"), profile::Environment::Production, profile::LabelColor::OfEnvironment};
        profile::StoredProfile recent = saved;
        recent.profile.id = profile::ProfileId(QStringLiteral("recent"));
        recent.keeping = profile::StoredProfile::Keeping::Recent;
        QVERIFY(m_profiles->save({saved, recent}).ok());
        makeWindow();
        const auto* list = m_window->findChild<QAbstractItemView*>(QStringLiteral("connectionList"));
        QCOMPARE(list->model()->rowCount(), 4);
        changeLanguage();
        checkTree(*m_window);
        verifyNothingIsStale();
    }

    void theWindowWithoutConnectionFollowsTheLanguage() {
        changeLanguage();
        checkTree(*m_window);
        verifyNothingIsStale();
        changeLanguageBack();
        QCOMPARE(m_window->findChild<QAbstractButton*>(QStringLiteral("startDemo"))->text(),
                 QStringLiteral("Open the &demo"));
    }
};

LOCKKEEPER_TEST(TestRetranslation, Gui)

}  // namespace tst_retranslation

#include "tst_retranslation.moc"
