// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/locks/lockspage.h"
#include "ui/timeline/timelinewidget.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>

namespace tst_lanemenu {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The context menu of the timeline's lanes, in the real window.
class TestLaneMenu : public WindowTest {
    Q_OBJECT

private:
    TimelineWidget& timeline() const { return find<TimelineWidget>("timeline"); }
    LocksPage& page() const { return *m_window->findChild<LocksPage*>(); }
    QLineEdit& filter() const { return find<QLineEdit>("lockFilter"); }
    QMenu& menu() const { return find<QMenu>("timelineMenu"); }
    QPoint laneOf(const char* name) const {
        timeline().grab();
        const std::vector<LockName> lanes = timeline().shownLocks();
        const auto found = std::ranges::find(lanes, lockName(name));
        return found == lanes.end() ? QPoint(-1, -1)
                                    : timeline().layoutNow().name(static_cast<int>(found - lanes.begin())).center();
    }
    void open(QContextMenuEvent::Reason reason, const QPoint& at) const {
        QContextMenuEvent wanted(reason, at, timeline().mapToGlobal(at));
        QCoreApplication::sendEvent(&timeline(), &wanted);
    }
    void rightClick(const char* name) const { open(QContextMenuEvent::Mouse, laneOf(name)); }
    // Right-clicks a lane without a row while another lock is selected.
    void rightClickALaneWithoutARow() {
        monitor::MonitorBatch gone;
        gone.removed = {lockName("orders:2")};
        m_engine->report(gone);
        page().selection().select(lockName("orders:1"));
        rightClick("orders:2");
        QCOMPARE(subject(), QStringLiteral("orders:2"));
    }
    // The lock of the menu's own entries; empty: the menu is not open.
    QString subject() const {
        return menu().isVisible() ? action("actionPin").text().section(QStringLiteral("lane of "), 1) : QString();
    }

private Q_SLOTS:
    void init() {
        beginConnected();
        m_window->resize(1200, 1400);  // all lanes are in sight
        reportChange(heldRow(m_clock, lockName("orders:1"), 30s));
        reportChange(heldRow(m_clock, lockName("orders:2"), 30s, holder(clientB, 7)));
        reportChange(freeRow(m_clock, lockName("idle lock")));
        m_clock.advance(1s);
    }
    void cleanup() { end(); }

    void isAboutTheLaneAndSelectsItsLock() {
        rightClick("orders:2");
        QCOMPARE(subject(), QStringLiteral("orders:2"));
        QCOMPARE(page().table().currentLock(), lockName("orders:2"));
    }

    void selectingMovesNeitherTheKeyboardNorTheFilter() {
        filter().setText(QStringLiteral("orders:1"));
        filter().setFocus();
        rightClick("orders:2");
        QCOMPARE(page().selection().name(), lockName("orders:2"));
        QCOMPARE(filter().text(), QStringLiteral("orders:1"));
        QCOMPARE(m_window->focusWidget(), &filter());
    }

    void besideTheLanesThereIsNoMenu() {
        open(QContextMenuEvent::Mouse, timeline().layoutNow().axis().center());
        QVERIFY(!menu().isVisible());
    }

    // ---- by key ----

    void theKeyIsForTheSelectedLock() {
        page().selection().select(lockName("orders:2"));
        timeline().grab();
        open(QContextMenuEvent::Keyboard, QPoint(0, 0));
        QCOMPARE(subject(), QStringLiteral("orders:2"));
    }

    void shiftF10IsThatKeyToo() {
        activate();
        page().selection().select(lockName("orders:2"));
        timeline().grab();
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_F10, Qt::ShiftModifier);
        QCOMPARE(subject(), QStringLiteral("orders:2"));
    }

    void theKeyScrollsToTheSelectedLock() {
        for (int i = 0; i < 40; ++i)
            reportChange(heldRow(m_clock, LockName("more:" + QByteArray::number(i)), 30s));
        page().selection().select(lockName("orders:2"));
        timeline().setPinned({lockName("more:1"), lockName("more:2"), lockName("more:3"), lockName("more:4"),
                              lockName("more:5"), lockName("more:6"), lockName("more:7"), lockName("more:8"),
                              lockName("more:9"), lockName("more:10")});
        timeline().grab();
        QTest::keyClick(&timeline(), Qt::Key_PageDown);
        QTest::keyClick(&timeline(), Qt::Key_PageDown);
        QCOMPARE(laneOf("orders:2"), QPoint(-1, -1));
        open(QContextMenuEvent::Keyboard, QPoint(0, 0));
        QCOMPARE(subject(), QStringLiteral("orders:2"));
    }

    void withoutASelectionTheKeyIsForTheFirstLane() {
        timeline().grab();
        open(QContextMenuEvent::Keyboard, QPoint(0, 0));
        QCOMPARE(subject(), QString::fromLatin1(timeline().shownLocks().front().bytes()));
    }

    // ---- what the table's rows offer ----

    void offersTheActionsOfARow_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name :
             {"actionRelease", "actionForceRelease", "actionWakeWaiters", "actionCopyName", "actionCopyReport"})
            QTest::newRow(name) << QByteArray(name);
    }
    void offersTheActionsOfARow() {
        QFETCH(const QByteArray, name);
        QAction* offered = &action(name.constData());
        QVERIFY(page().table().actions().contains(offered));
        rightClick("orders:2");
        QCOMPARE(menu().actions().count(offered), 1);
        menu().hide();
        rightClick("orders:1");
        QCOMPARE(menu().actions().count(offered), 1);
    }

    // ---- what a row offers beside them ----

    void aRowOffersWhatALaneDoes_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"holderFindAction", "holderLocksAction", "actionLaneEvents", "actionLaneFilterName",
                                 "actionLaneFilterPrefix", "actionPin", "actionAuditOfLock"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aRowOffersWhatALaneDoes() {
        QFETCH(const QByteArray, name);
        QAction* offered = &action(name.constData());
        QCOMPARE(page().table().actions().count(offered), 1);
        page().table().selectionModel()->clear();
        if (name != "actionAuditOfLock")
            QVERIFY(!offered->isEnabled());
        page().table().setCurrentLock(lockName("orders:2"));
        QVERIFY(offered->isEnabled());
    }

    void theEntriesOfARowAreAboutIt() {
        page().table().setCurrentLock(lockName("orders:2"));
        QCOMPARE(action("actionPin").text().remove(u'&'), QStringLiteral("Pin the lane of orders:2"));
        action("actionPin").trigger();
        QCOMPARE(timeline().pinned(), QList<LockName>{lockName("orders:2")});
        QCOMPARE(action("actionPin").text().remove(u'&'), QStringLiteral("Unpin the lane of orders:2"));
        timeline().setPinned({});
        QCOMPARE(action("actionPin").text().remove(u'&'), QStringLiteral("Pin the lane of orders:2"));
        action("actionLaneEvents").trigger();
        const std::vector<LoggedEvent> shown = find<EventLogPanel>("eventLogPanel").shownEvents();
        QCOMPARE(shown.size(), size_t{1});
        QCOMPARE(shown.front().lock.name, lockName("orders:2"));
        action("holderLocksAction").trigger();
        QCOMPARE(filter().text(), QString::fromLatin1(clientB));
        action("actionLaneFilterName").trigger();
        QCOMPARE(filter().text(), QStringLiteral("name:orders:2"));
    }

    // A lane may be of another lock while its menu is open.
    void theEntriesAreAboutTheSelectionAgainAfterTheMenu() {
        rightClickALaneWithoutARow();
        menu().hide();
        QTRY_VERIFY(!action("actionPin").isEnabled());
        page().selection().select(lockName("orders:1"));
        QVERIFY(action("actionPin").text().endsWith(QStringLiteral("orders:1")));
    }

    void forceReleaseIsAboutTheLaneThatWasClicked() {
        page().selection().select(lockName("orders:1"));
        rightClick("orders:2");
        QVERIFY(action("actionForceRelease").text().contains(QStringLiteral("orders:2")));
        action("actionForceRelease").trigger();
        QVERIFY(find<QDialog>("forceReleaseDialog").isVisible());
    }

    // A lane may be of a lock that has no row any more while another lock is selected.
    void aLockWithoutARowIsNotMistakenForTheSelectedOne() {
        rightClickALaneWithoutARow();
        QVERIFY(!page().selection().name());
        for (const char* name : {"actionForceRelease", "actionCopyName", "holderFindAction", "actionLaneShow",
                                 "actionLaneFilterName", "actionLaneFilterPrefix"})
            QVERIFY2(!action(name).isEnabled(), name);
    }

    // ---- entries of its own ----

    void showsTheLockInTheTable() {
        filter().setText(QStringLiteral("orders:1"));
        rightClick("orders:2");
        action("actionLaneShow").trigger();
        QCOMPARE(filter().text(), QString());
        QVERIFY(page().table().hasFocus() || m_window->focusWidget() == &page().table());
    }

    void showsTheEventsOfTheLockAlone() {
        find<QDockWidget>("eventDock").close();
        rightClick("orders:2");
        action("actionLaneEvents").trigger();
        const std::vector<LoggedEvent> shown = find<EventLogPanel>("eventLogPanel").shownEvents();
        QCOMPARE(shown.size(), size_t{1});
        QCOMPARE(shown.front().lock.name, lockName("orders:2"));
        QVERIFY(!find<QDockWidget>("eventDock").isHidden());
    }

    void filtersTheTable_data() {
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("rows");
        QTest::newRow("by the name") << QByteArray("orders:1") << QByteArray("actionLaneFilterName") << "name:orders:1"
                                     << 1;
        QTest::newRow("by a name with a space")
            << QByteArray("idle lock") << QByteArray("actionLaneFilterName") << "name:\"idle lock\"" << 1;
        QTest::newRow("by the prefix") << QByteArray("orders:1") << QByteArray("actionLaneFilterPrefix")
                                       << "prefix:orders:" << 2;
    }
    void filtersTheTable() {
        QFETCH(const QByteArray, lock);
        QFETCH(const QByteArray, entry);
        QFETCH(const int, rows);
        rightClick(lock.constData());
        action(entry.constData()).trigger();
        QTEST(filter().text(), "filter");
        QCOMPARE(static_cast<int>(page().shownLocks().size()), rows);
    }

    void aNameWithoutAPrefixCannotBeFilteredByIt() {
        rightClick("idle lock");
        QVERIFY(!action("actionLaneFilterPrefix").isEnabled());
        QVERIFY(action("actionLaneFilterName").isEnabled());
    }

    void pinsAndUnpins() {
        for (const bool pinned : {true, false}) {
            rightClick("orders:2");
            action("actionPin").trigger();
            QCOMPARE(timeline().pinned().contains(lockName("orders:2")), pinned);
        }
    }

    void findsOutWhoTheHolderIs() {
        rightClick("idle lock");
        QVERIFY(!action("holderFindAction").isEnabled());
        menu().hide();
        rightClick("orders:2");
        QVERIFY(menu().actions().contains(&action("holderFindAction")));
        QVERIFY(action("holderFindAction").isEnabled());
        action("holderFindAction").trigger();
        QVERIFY(find<QPushButton>("identifyCancel").isVisible());
    }

    void showsAllItsTimeUpToThePresent() {
        m_clock.advance(10min);
        timeline().refresh();
        QVERIFY(!timeline().range().contains(m_clock.wallNow() - 10min));
        rightClick("orders:2");
        action("actionLaneShowAll").trigger();
        QVERIFY(timeline().range().contains(m_clock.wallNow() - 10min - 1s));
        QCOMPARE(timeline().range().to, m_clock.wallNow());
        QCOMPARE(timeline().flow(), TimelineWidget::Flow::Following);
    }

    void showsAllTheTimeOfALockThatIsFree() {
        m_clock.advance(10s);
        reportChange(freeRow(m_clock, lockName("orders:2")));
        m_clock.advance(10min);
        timeline().setPinned({lockName("orders:2")});
        timeline().showAll();
        rightClick("orders:2");
        action("actionLaneShowAll").trigger();
        QCOMPARE(timeline().flow(), TimelineWidget::Flow::Still);
        QVERIFY(timeline().range().contains(m_clock.wallNow() - 10min - 11s));
        QVERIFY(timeline().range().contains(m_clock.wallNow() - 10min));
        QVERIFY(timeline().range().length() < 20s);
    }

    void followsThePresent() {
        timeline().setFlow(TimelineWidget::Flow::Still);
        rightClick("orders:2");
        QVERIFY(menu().actions().contains(&action("followTimeline")));
        action("followTimeline").trigger();
        QCOMPARE(timeline().flow(), TimelineWidget::Flow::Following);
    }
};

LOCKKEEPER_TEST(TestLaneMenu, Gui)

}  // namespace tst_lanemenu

#include "tst_lanemenu.moc"
