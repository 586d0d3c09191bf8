// SPDX-License-Identifier: Apache-2.0
#include "support/emptysettings.h"
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "support/widgettest.h"
#include "ui/connections/knownconnections.h"
#include "ui/lab/experimentlist.h"
#include "ui/window/start/startpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QListView>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_startpage {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using profile::StoredProfile;

namespace {

StoredProfile savedOn(const char* name, const char* url, const char* group = "") {
    StoredProfile stored;
    stored.profile = *profile::ConnectionProfile::fromUrl(QString::fromLatin1(url));
    stored.profile.id = profile::ProfileId(QString::fromLatin1(name));
    stored.keeping = StoredProfile::Keeping::Saved;
    stored.label.name = QString::fromLatin1(name);
    stored.group = QString::fromLatin1(group);
    return stored;
}

}  // namespace

class TestStartPage : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_page; }
    QListView& list() const { return find<QListView>("connectionList"); }
    QStringList rows() const {
        QStringList rows;
        for (int row = 0; row < list().model()->rowCount(); ++row)
            rows << list().model()->index(row, 0).data().toString();
        return rows;
    }
    QString current() const { return list().currentIndex().data().toString(); }
    // Saves three connections; B is in a group.
    void saveThree() {
        for (const StoredProfile& stored :
             {savedOn("A", "redis://a"), savedOn("B", "redis://b", "Shop"), savedOn("C", "redis://c")})
            QVERIFY(m_known->save(stored));
        m_known->add(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://recent")));
    }
    static QString nameIn(const QSignalSpy& spy) { return spy.back()[0].value<StoredProfile>().label.name; }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<QSettings> m_settings;
    ManualClock m_clock;
    std::unique_ptr<profile::ProfileStore> m_profiles;
    std::unique_ptr<KnownConnections> m_known;
    std::unique_ptr<StartPage> m_page;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_settings = emptySettings(*m_directory);
        m_profiles = std::make_unique<profile::ProfileStore>(m_directory->filePath(QStringLiteral("profiles.json")));
        m_known = std::make_unique<KnownConnections>(*m_settings, *m_profiles, m_clock);
        m_page = std::make_unique<StartPage>(*m_known, m_clock);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void withoutConnectionsItSaysSo() {
        QVERIFY(!list().isVisible());
        QVERIFY(find<QLabel>("connectionsEmpty").isVisible());
        QVERIFY(find<QAbstractButton>("startConnect").hasFocus());
        QCOMPARE(find<QLabel>("startWelcome").text().count(QLatin1Char('\n')), 4);
    }

    void itsButtonsAskForWhatTheySay_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<void (StartPage::*)()>("signal");
        QTest::newRow("connect") << QByteArray("startConnect") << &StartPage::connectWanted;
        QTest::newRow("demo") << QByteArray("startDemo") << &StartPage::demoWanted;
        QTest::newRow("Redisson") << QByteArray("startRedisson") << &StartPage::redissonFileWanted;
    }
    void itsButtonsAskForWhatTheySay() {
        QFETCH(const QByteArray, button);
        using Signal = void (StartPage::*)();
        QFETCH(const Signal, signal);
        const QSignalSpy wanted(m_page.get(), signal);
        find<QAbstractButton>(button.constData()).click();
        QCOMPARE(wanted.size(), 1);
    }

    // The first steps of the lab, in order.
    void learnOffersFiveExperiments() {
        const QSignalSpy wanted(m_page.get(), &StartPage::experimentWanted);
        QByteArrayList ids;
        for (auto* button :
             find<QWidget>("learnPath").findChildren<QAbstractButton*>(QRegularExpression(QStringLiteral("^learn_")))) {
            QVERIFY2(button->text().startsWith(QStringLiteral("%1. ").arg(ids.size() + 1)), qPrintable(button->text()));
            QVERIFY2(button->geometry().right() < find<QWidget>("learnPath").width(), qPrintable(button->text()));
            button->click();
            ids += wanted.back()[0].toByteArray();
        }
        QCOMPARE(ids, ExperimentList::firstSteps());
        QCOMPARE(ids.size(), 5);
    }

    void largeTypeDoesNotMakeTheWindowHigherThanTheScreen() {
        QFont large = m_page->font();
        large.setPointSize(20);
        m_page->setFont(large);
        QVERIFY2(m_page->minimumSizeHint().height() < 500,
                 qPrintable(QString::number(m_page->minimumSizeHint().height())));
    }

    void learnOffersThreeRecordings() {
        const QSignalSpy wanted(m_page.get(), &StartPage::recordingWanted);
        const auto buttons =
            find<QWidget>("learnPath").findChildren<QAbstractButton*>(QRegularExpression(QStringLiteral("^example_")));
        QCOMPARE(buttons.size(), 3);
        for (QAbstractButton* button : buttons) {
            button->click();
            const QString path = wanted.back()[0].toString();
            QVERIFY2(QFile::exists(path), qPrintable(path));
        }
    }

    void listsSavedOnesByGroupAndThenRecentOnes() {
        saveThree();
        QCOMPARE(rows(), QStringList({"Saved connections", "A", "C", "Shop", "B", "Recent", "recent:6379"}));
        QVERIFY(list().isVisible());
    }

    void theKeyboardPassesOverHeadings() {
        saveThree();
        list().setFocus();
        QCOMPARE(current(), QStringLiteral("A"));
        QStringList passed;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(&list(), Qt::Key_Down);
            passed << current();
        }
        QCOMPARE(passed, QStringList({"C", "B", "recent:6379"}));
    }

    void enterOpensTheCurrentOne() {
        saveThree();
        list().setFocus();
        QTest::keyClick(&list(), Qt::Key_Down);
        const QSignalSpy opened(m_page.get(), &StartPage::openWanted);
        QTest::keyClick(&list(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(nameIn(opened), QStringLiteral("C"));
    }

    void theMenuEditsAndDuplicates() {
        saveThree();
        const QSignalSpy edited(m_page.get(), &StartPage::editWanted);
        const QSignalSpy duplicated(m_page.get(), &StartPage::duplicateWanted);
        list().setFocus();
        QTest::keyClick(&list(), Qt::Key_F2);
        QCOMPARE(nameIn(edited), QStringLiteral("A"));
        action("actionDuplicateConnection").trigger();
        QCOMPARE(nameIn(duplicated), QStringLiteral("A"));
    }

    void aRecentOneCanBeSaved() {
        saveThree();
        QCOMPARE(action("actionEditConnection").text(), QStringLiteral("&Edit…"));
        list().setCurrentIndex(list().model()->index(6, 0));
        QCOMPARE(action("actionEditConnection").text(), QStringLiteral("&Save…"));
        QVERIFY(!action("actionDuplicateConnection").isEnabled());
    }

    void deletingAsksFirst_data() {
        QTest::addColumn<bool>("confirmed");
        QTest::newRow("confirmed") << true;
        QTest::newRow("cancelled") << false;
    }
    void deletingAsksFirst() {
        QFETCH(const bool, confirmed);
        saveThree();
        const QSignalSpy removed(m_page.get(), &StartPage::removeWanted);
        list().setFocus();
        QTest::keyClick(&list(), Qt::Key_Delete);
        QCOMPARE(removed.size(), 0);
        auto& question = find<QMessageBox>("removeConnectionBox");
        QVERIFY2(question.text().contains(QStringLiteral("connection A?")), qPrintable(question.text()));
        if (confirmed)
            find<QAbstractButton>("removeConnection").click();
        else
            QTest::keyClick(&question, Qt::Key_Return);
        QCOMPARE(removed.size(), confirmed ? 1 : 0);
    }

    // ---- the user's order ----

    void aConnectionIsMovedAmongTheOthers_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("before");
        QTest::addColumn<QStringList>("order");  // with headings
        const QString saved = QStringLiteral("Saved connections");
        QTest::newRow("in its group") << 1 << 3 << QStringList{saved,
                                                               QStringLiteral("C"),
                                                               QStringLiteral("A"),
                                                               QStringLiteral("Shop"),
                                                               QStringLiteral("B"),
                                                               QStringLiteral("Recent")};
        QTest::newRow("to the front") << 2 << 1 << QStringList{saved,
                                                               QStringLiteral("C"),
                                                               QStringLiteral("A"),
                                                               QStringLiteral("Shop"),
                                                               QStringLiteral("B"),
                                                               QStringLiteral("Recent")};
        QTest::newRow("to the front of another group") << 1 << 4 << QStringList{saved,
                                                                                QStringLiteral("C"),
                                                                                QStringLiteral("Shop"),
                                                                                QStringLiteral("A"),
                                                                                QStringLiteral("B"),
                                                                                QStringLiteral("Recent")};
        QTest::newRow("to the end of another group") << 1 << 5 << QStringList{saved,
                                                                              QStringLiteral("C"),
                                                                              QStringLiteral("Shop"),
                                                                              QStringLiteral("B"),
                                                                              QStringLiteral("A"),
                                                                              QStringLiteral("Recent")};
        QTest::newRow("out of its group, which goes") << 4 << 3
                                                      << QStringList{saved, QStringLiteral("A"), QStringLiteral("C"),
                                                                     QStringLiteral("B"), QStringLiteral("Recent")};
        QTest::newRow("not among the recent ones") << 1 << 6 << QStringList{saved,
                                                                            QStringLiteral("A"),
                                                                            QStringLiteral("C"),
                                                                            QStringLiteral("Shop"),
                                                                            QStringLiteral("B"),
                                                                            QStringLiteral("Recent")};
        QTest::newRow("not before all headings") << 1 << 0 << QStringList{saved,
                                                                          QStringLiteral("A"),
                                                                          QStringLiteral("C"),
                                                                          QStringLiteral("Shop"),
                                                                          QStringLiteral("B"),
                                                                          QStringLiteral("Recent")};
        QTest::newRow("recent ones have no order") << 6 << 1 << QStringList{saved,
                                                                            QStringLiteral("A"),
                                                                            QStringLiteral("C"),
                                                                            QStringLiteral("Shop"),
                                                                            QStringLiteral("B"),
                                                                            QStringLiteral("Recent")};
    }
    void aConnectionIsMovedAmongTheOthers() {
        QFETCH(const int, row);
        QFETCH(const int, before);
        QFETCH(const QStringList, order);
        saveThree();
        list().model()->moveRow({}, row, {}, before);
        QCoreApplication::processEvents();
        QCOMPARE(rows().mid(0, order.size()), order);
        QStringList kept;
        for (const StoredProfile& stored : m_known->saved())
            kept << stored.label.name;
        QCOMPARE(kept.size(), 3);
    }

    void onlyASavedConnectionCanBeDragged() {
        saveThree();
        const QAbstractItemModel& model = *list().model();
        QVERIFY(model.flags(model.index(1, 0)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(!model.flags(model.index(6, 0)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(model.flags({}).testFlag(Qt::ItemIsDropEnabled));
        QCOMPARE(list().dragDropMode(), QAbstractItemView::InternalMove);
    }

    void keysMoveAConnection() {
        saveThree();
        list().setFocus();
        list().setCurrentIndex(list().model()->index(1, 0));
        QTest::keyClick(&list(), Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(rows().mid(0, 3),
                     (QStringList{QStringLiteral("Saved connections"), QStringLiteral("C"), QStringLiteral("A")}));
        QCOMPARE(current(), QStringLiteral("A"));
        QTest::keyClick(&list(), Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(rows().mid(0, 5), (QStringList{QStringLiteral("Saved connections"), QStringLiteral("C"),
                                                    QStringLiteral("Shop"), QStringLiteral("A"), QStringLiteral("B")}));
        QTest::keyClick(&list(), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(rows().mid(0, 5), (QStringList{QStringLiteral("Saved connections"), QStringLiteral("C"),
                                                    QStringLiteral("A"), QStringLiteral("Shop"), QStringLiteral("B")}));
    }

    // ---- what is open ----

    void aCardSaysThatItsConnectionIsOpen() {
        saveThree();
        const auto spoken = [this] { return list().model()->index(1, 0).data(Qt::AccessibleTextRole).toString(); };
        QVERIFY(!spoken().contains(QStringLiteral("connected")));
        const QImage before = list().grab().toImage();
        m_known->setPhases({{profile::ProfileId(QStringLiteral("A")), ConnectionPhase::Connected}});
        QVERIFY2(spoken().contains(QStringLiteral("connected")), qPrintable(spoken()));
        QVERIFY(list().grab().toImage() != before);
        m_known->setPhases({});
        QVERIFY(!spoken().contains(QStringLiteral("connected")));
    }

    void theSelectionStaysOnItsConnection() {
        saveThree();
        list().setCurrentIndex(list().model()->index(2, 0));
        QCOMPARE(current(), QStringLiteral("C"));
        m_known->remove(profile::ProfileId(QStringLiteral("A")));
        QCOMPARE(rows().size(), 6);
        QCOMPARE(current(), QStringLiteral("C"));
    }

    void aScreenReaderHearsAllOfACard() {
        StoredProfile stored = savedOn("Orders", "redis://cache");
        stored.label.environment = profile::Environment::Production;
        stored.profile.access = redis::AccessMode::ReadOnly;
        stored.note = QStringLiteral("<b>ask Ann</b>");
        QVERIFY(m_known->save(stored));
        QCOMPARE(list().currentIndex().data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Production · Orders · cache:6379, read-only, not used yet"));
        QCOMPARE(list().currentIndex().data(Qt::ToolTipRole).toString(),
                 QStringLiteral("<p>&lt;b&gt;ask Ann&lt;/b&gt;</p>"));
    }
};

LOCKKEEPER_TEST(TestStartPage, Gui)

}  // namespace tst_startpage

#include "tst_startpage.moc"
