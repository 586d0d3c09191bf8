// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/table/orderhold.h"
#include "ui/timeline/timelinewidget.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QDockWidget>
#include <QEnterEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolButton>

namespace tst_lockselection {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

// The selected lock in the real window: it never becomes another lock by itself, and highlight, details, timeline and
// actions are about the same lock.
class TestLockSelection : public WindowTest {
    Q_OBJECT

private:
    QLineEdit& filter() const { return find<QLineEdit>("lockFilter"); }
    QString details() const {
        const auto& name = find<QPlainTextEdit>("detailName");
        return name.isVisible() ? name.toPlainText() : QString();
    }
    QString absence() const {
        const auto& message = find<QWidget>("detailAbsence");
        return message.isVisible() ? message.findChild<QLabel*>(QStringLiteral("messageText"))->text() : QString();
    }
    QString highlighted() const {
        const QModelIndexList rows = table().selectionModel()->selectedRows(LockTableModel::Name);
        return rows.isEmpty() ? QString() : rows.first().data().toString();
    }
    LockName laneOnTop() const {
        auto& timeline = find<TimelineWidget>("timeline");
        timeline.grab();
        const std::vector<LockName> lanes = timeline.shownLocks();
        return lanes.empty() ? LockName() : lanes.front();
    }
    bool canForce() const { return find<QAction>("actionForceRelease").isEnabled(); }
    // The lock that Delete would break; empty when it would break none.
    QString forceTarget() const {
        find<QAction>("actionForceRelease").trigger();
        for (QDialog* force : m_window->findChildren<QDialog*>(QStringLiteral("forceReleaseDialog"))) {
            if (!force->isVisible())
                continue;
            const QString text = force->findChild<QAbstractButton*>(QStringLiteral("forceButton"))->text();
            delete force;
            return text.section(u' ', 1);
        }
        return {};
    }
    // Checks that all parts of the window are about the selected lock.
    void compareAll(const QString& lock) const {
        QCOMPARE(highlighted(), lock);
        QCOMPARE(details(), lock);
        QCOMPARE(forceTarget(), lock);
        QCOMPARE(table().currentIndex().isValid(), !lock.isEmpty());
    }
    monitor::LockRow held(const char* name, Milliseconds ttl = 12s) const {
        return heldRow(m_clock, lockName(name), ttl);
    }
    monitor::MonitorBatch ended(const char* name, EventType how) const {
        monitor::MonitorBatch batch = batchOf({freeRow(m_clock, lockName(name))});
        batch.events = {eventOf(m_clock, how, freeRow(m_clock, lockName(name)))};
        return batch;
    }
    void hideFreeLocks() const { find<QCheckBox>("showFreeLocks").setChecked(false); }

private Q_SLOTS:
    void init() {
        beginConnected();
        m_engine->report(batchOf({held("aa"), held("zz:3"), held("zz:4"), held("zz:5")}));
    }
    void cleanup() { end(); }

    // The order follows urgency, and what never expires is more urgent than what is held.
    void noRowMovesUnderThePointerOrAfterAKey_data() {
        QTest::addColumn<bool>("isKey");
        QTest::newRow("pointer") << false;
        QTest::newRow("key") << true;
    }
    void noRowMovesUnderThePointerOrAfterAKey() {
        QFETCH(const bool, isKey);
        const auto first = [this] { return table().model()->index(0, LockTableModel::Name).data().toString(); };
        const auto& sign = find<QLabel>("orderHoldSign");
        QEvent leave(QEvent::Leave);
        QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
        QCoreApplication::sendEvent(table().viewport(), &enter);  // as a pointer at rest, which holds nothing
        m_engine->report(batchOf({neverExpiringRow(m_clock, lockName("zz:4"))}));
        QCOMPARE(first(), QStringLiteral("zz:4"));
        m_engine->report(batchOf({held("zz:4")}));
        QCOMPARE(first(), QStringLiteral("aa"));
        if (isKey)
            QTest::keyClick(&table(), Qt::Key_Down);
        else
            QTest::mouseMove(table().viewport(), {6, 6});
        m_engine->report(batchOf({neverExpiringRow(m_clock, lockName("zz:5"))}));
        QCOMPARE(first(), QStringLiteral("aa"));
        QVERIFY(!sign.isHidden());
        if (isKey)
            m_clock.advance(OrderHold::afterKey);
        else
            QCoreApplication::sendEvent(table().viewport(), &leave);
        QCOMPARE(first(), QStringLiteral("zz:5"));
        QVERIFY(sign.isHidden());
    }

    void homeAndEndAreTheEndsOfTheList() {
        table().setCurrentLock(lockName("zz:4"));
        QTest::keyClick(&table(), Qt::Key_End);
        QCOMPARE(highlighted(), QStringLiteral("zz:5"));
        QTest::keyClick(&table(), Qt::Key_Home);
        QCOMPARE(highlighted(), QStringLiteral("aa"));
    }

    void theDetailsComeAndGoWithTheSelection() {
        const auto& details = find<QDockWidget>("detailDock");
        QVERIFY(details.isHidden());
        table().setCurrentLock(lockName("zz:4"));
        QVERIFY(!details.isHidden());
        const QPoint below(5, table().viewport()->height() - 3);
        QVERIFY(!table().indexAt(below).isValid());
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, below);
        QVERIFY(details.isHidden());
        // What the user has chosen stays.
        details.toggleViewAction()->trigger();
        QVERIFY(!details.isHidden());
        table().setCurrentLock(lockName("zz:4"));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, below);
        QVERIFY(!details.isHidden());
    }

    void aMistakeInTheFilterIsSaid() {
        const auto& message = find<QWidget>("filterMistakes");
        QVERIFY(message.isHidden());
        filter().setText(QStringLiteral("count:>"));
        QVERIFY(message.isHidden());  // a value may still come
        QTest::keyClick(&filter(), Qt::Key_Return);
        QVERIFY(!message.isHidden());
        filter().setText(QStringLiteral("waiter:>0"));
        QVERIFY(
            message.findChild<QLabel*>(QStringLiteral("messageText"))->text().contains(QStringLiteral("waiters:>0?")));
        QCOMPARE(table().model()->rowCount(), 4);
        filter().setText(QStringLiteral("waiters:>0"));
        QVERIFY(message.isHidden());
    }

    void aRowThatLeavesSelectsNoNeighbour_data() {
        QTest::addColumn<EventType>("how");
        QTest::addColumn<QString>("cause");
        QTest::newRow("released") << EventType::Released << "Released";
        QTest::newRow("expired") << EventType::Expired << "Expired";
        QTest::newRow("deleted") << EventType::Deleted << "Deleted";
        QTest::newRow("forced") << EventType::Forced << "Force-released";
        QTest::newRow("not seen") << EventType::Gone << "how its hold ended was not seen";
    }
    void aRowThatLeavesSelectsNoNeighbour() {
        QFETCH(const EventType, how);
        QFETCH(const QString, cause);
        hideFreeLocks();
        filter().setText(QStringLiteral("zz"));
        table().setCurrentLock(lockName("zz:4"));
        compareAll(QStringLiteral("zz:4"));
        m_engine->report(ended("zz:4", how));
        QCOMPARE(highlighted(), QString());
        QCOMPARE(details(), QStringLiteral("zz:4"));
        QVERIFY2(absence().contains(cause), qPrintable(absence()));
        QVERIFY(!canForce());
        QCOMPARE(forceTarget(), QString());
        QVERIFY(!find<QAction>("actionCopyName").isEnabled());
        QCOMPARE(table().currentLock(), std::optional(lockName("zz:4")));
    }

    void aLockThatReturnsIsSelectedAgain() {
        hideFreeLocks();
        table().setCurrentLock(lockName("zz:4"));
        m_engine->report(ended("zz:4", EventType::Released));
        QCOMPARE(highlighted(), QString());
        monitor::MonitorBatch taken = batchOf({held("zz:4")});
        taken.events = {eventOf(m_clock, EventType::Acquired, held("zz:4"))};
        m_engine->report(taken);
        compareAll(QStringLiteral("zz:4"));
        QCOMPARE(absence(), QString());
    }

    void aForgottenLockStaysInTheDetails() {
        m_engine->report(ended("zz:4", EventType::Released));
        table().setCurrentLock(lockName("zz:4"));
        monitor::MonitorBatch forgotten;
        forgotten.removed = {lockName("zz:4")};
        m_engine->report(forgotten);
        QCOMPARE(highlighted(), QString());
        QCOMPARE(details(), QStringLiteral("zz:4"));
        QVERIFY2(absence().startsWith(QStringLiteral("Forgotten")), qPrintable(absence()));
        QVERIFY(!find<QAbstractButton>("detailShow").isVisible());
        QVERIFY(!canForce());
        m_engine->report(batchOf({held("zz:4")}));
        compareAll(QStringLiteral("zz:4"));
    }

    void theCauseStaysWhenTheRowIsForgottenLater() {
        hideFreeLocks();
        table().setCurrentLock(lockName("zz:4"));
        m_engine->report(ended("zz:4", EventType::Expired));
        monitor::MonitorBatch forgotten;
        forgotten.removed = {lockName("zz:4")};
        m_engine->report(forgotten);
        QVERIFY2(absence().startsWith(QStringLiteral("Expired")), qPrintable(absence()));
    }

    void aReleaseAndItsForgettingMayComeAtOnce() {
        table().setCurrentLock(lockName("zz:4"));
        monitor::MonitorBatch batch;
        batch.events = {eventOf(m_clock, EventType::Released, freeRow(m_clock, lockName("zz:4")))};
        batch.removed = {lockName("zz:4")};
        m_engine->report(batch);
        QVERIFY2(absence().startsWith(QStringLiteral("Released")), qPrintable(absence()));
        QCOMPARE(find<QLabel>("detailState").text(), QStringLiteral("Free"));
        QCOMPARE(highlighted(), QString());
    }

    void aHeldLockThatTheFilterHidesStaysLiveWithoutActions() {
        table().setCurrentLock(lockName("zz:4"));
        filter().setText(QStringLiteral("zz:5"));
        QCOMPARE(highlighted(), QString());
        QCOMPARE(details(), QStringLiteral("zz:4"));
        QVERIFY2(absence().startsWith(QStringLiteral("Hidden by the filter")), qPrintable(absence()));
        QVERIFY(!canForce());
        QVERIFY(find<QAction>("actionForceRelease").toolTip().contains(QStringLiteral("hidden by the filter")));
        QCOMPARE(find<QLabel>("detailState").text(), QStringLiteral("Held"));
        monitor::LockRow renewed = held("zz:4", 30s);
        renewed.hold.renewals = 7;
        renewed.hold.lastRenewal = m_clock.now();
        m_engine->report(batchOf({renewed}));
        QVERIFY2(find<QPlainTextEdit>("detailRenewals").toPlainText().startsWith(u'7'),
                 qPrintable(find<QPlainTextEdit>("detailRenewals").toPlainText()));
        m_engine->report(ended("zz:4", EventType::Expired));
        QVERIFY2(absence().startsWith(QStringLiteral("Expired")), qPrintable(absence()));
    }

    void showItClearsTheFilter() {
        table().setCurrentLock(lockName("zz:4"));
        filter().setText(QStringLiteral("zz:5"));
        QVERIFY(find<QAbstractButton>("detailShow").isVisible());
        find<QAbstractButton>("detailShow").click();
        QCOMPARE(filter().text(), QString());
        compareAll(QStringLiteral("zz:4"));
        QVERIFY(!find<QAbstractButton>("detailShow").isVisible());
    }

    void aFreeLockIsHiddenByTheFilterWhenTheReaderHidesFreeOnes() {
        m_engine->report(ended("zz:4", EventType::Released));
        table().setCurrentLock(lockName("zz:4"));
        hideFreeLocks();
        QVERIFY2(absence().startsWith(QStringLiteral("Hidden by the filter")), qPrintable(absence()));
        find<QAbstractButton>("detailShow").click();
        QCOMPARE(highlighted(), QStringLiteral("zz:4"));
    }

    void theTimelineFollowsTheName() {
        monitor::MonitorBatch batch;
        for (const char* name : {"aa", "zz:4", "zz:5"})
            batch.events.push_back(eventOf(m_clock, EventType::Acquired, held(name)));
        m_engine->report(batch);
        m_clock.advance(2s);
        hideFreeLocks();
        table().setCurrentLock(lockName("zz:4"));
        QCOMPARE(laneOnTop(), lockName("zz:4"));
        m_engine->report(ended("zz:4", EventType::Released));
        QCOMPARE(laneOnTop(), lockName("zz:4"));
    }

    void clickingBelowTheRowsSelectsNothing() {
        table().setCurrentLock(lockName("zz:4"));
        const QPoint below(20, table().rowViewportPosition(3) + 2 * table().rowHeight(3));
        QVERIFY(!table().indexAt(below).isValid());
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, below);
        compareAll(QString());
        QVERIFY(find<QDockWidget>("detailDock").isHidden());
        const QModelIndex row = table().model()->index(1, LockTableModel::Name);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(row).center());
        compareAll(QStringLiteral("zz:3"));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, Qt::ControlModifier, table().visualRect(row).center());
        compareAll(highlighted());
    }

    void tabbingIntoTheTableSelectsNothingByItself() {
        activate();
        filter().setFocus();
        table().setFocus(Qt::TabFocusReason);
        QVERIFY(table().hasFocus());
        compareAll(QString());
        QTest::keyClick(&table(), Qt::Key_Down);
        compareAll(QStringLiteral("aa"));
    }

    void tabbingIntoTheTableKeepsALockThatIsHidden() {
        activate();
        table().setCurrentLock(lockName("zz:4"));
        filter().setFocus();
        filter().setText(QStringLiteral("zz:5"));
        table().setFocus(Qt::TabFocusReason);
        QCOMPARE(highlighted(), QString());
        QVERIFY(!table().currentIndex().isValid());
        QCOMPARE(details(), QStringLiteral("zz:4"));
    }

    // Nothing was hidden in between: the message that offers to show all locks would have taken the keys.
    void theTableHasTheKeysAgainWhenLocksComeBack() {
        activate();
        table().setFocus();
        m_engine->report(removalOf({lockName("aa"), lockName("zz:3"), lockName("zz:4"), lockName("zz:5")}));
        QVERIFY(!table().isVisible());
        m_engine->report(batchOf({held("aa")}));
        QVERIFY(table().isVisible());
        QVERIFY(table().hasFocus());
    }

    void enterInTheFilterTakesTheFirstMatch() {
        activate();
        table().setCurrentLock(lockName("aa"));
        filter().setFocus();
        QTest::keyClicks(&filter(), QStringLiteral("zz"));
        QTest::keyClick(&filter(), Qt::Key_Return);
        QVERIFY(table().hasFocus());
        compareAll(QStringLiteral("zz:3"));
    }

    void enterWithoutAMatchChangesNothing() {
        table().setCurrentLock(lockName("aa"));
        filter().setText(QStringLiteral("no such lock"));
        QTest::keyClick(&filter(), Qt::Key_Return);
        QCOMPARE(highlighted(), QString());
        QCOMPARE(details(), QStringLiteral("aa"));
        QVERIFY(!canForce());
    }

    void aResetKeepsTheName() {
        table().setCurrentLock(lockName("zz:4"));
        monitor::MonitorBatch nothing;
        nothing.reset = true;
        m_engine->report(nothing);
        QCOMPARE(details(), QStringLiteral("zz:4"));
        QVERIFY2(absence().startsWith(QStringLiteral("Not seen since")), qPrintable(absence()));
        QVERIFY(!find<QAction>("actionCopyReport").isEnabled());  // its state is not known
        m_engine->report(batchOf({held("zz:5")}));
        QCOMPARE(highlighted(), QString());
        m_engine->report(batchOf({held("aa"), held("zz:4")}));
        compareAll(QStringLiteral("zz:4"));
        monitor::MonitorBatch again = batchOf({held("aa"), held("zz:4")});
        again.reset = true;
        m_engine->report(again);
        compareAll(QStringLiteral("zz:4"));
    }

    void anotherOrderKeepsTheLock() {
        table().setCurrentLock(lockName("zz:4"));
        table().sortByColumn(LockTableModel::Name, Qt::DescendingOrder);
        compareAll(QStringLiteral("zz:4"));
        table().sortByColumn(LockTableModel::Ttl, Qt::AscendingOrder);
        m_engine->report(batchOf({held("zz:4", 90s), held("zz:5", 1s)}));
        compareAll(QStringLiteral("zz:4"));
    }

    void anotherServerSelectsNothing() {
        table().setCurrentLock(lockName("zz:4"));
        ConnectionStatus other = connecting();
        other.server = QStringLiteral("other:6379/0");
        m_engine->report(other);
        m_engine->report(connected());
        m_engine->report(batchOf({held("zz:4")}));
        compareAll(QString());
    }

    // So many locks at once that the table reorders before it removes.
    void itsRowStaysInSightWhenTheFilterIsCleared() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 2000; ++i)
            rows.push_back(heldRow(m_clock, LockName("bulk:" + QByteArray::number(10000 + i)), 10s));
        m_engine->report(batchOf(rows));
        const auto isInSight = [this] {
            return table().viewport()->rect().intersects(table().visualRect(table().currentIndex()));
        };
        table().sortByColumn(LockTableModel::Name, Qt::DescendingOrder);
        filter().setText(QStringLiteral("bulk:1100"));
        table().setCurrentLock(lockName("bulk:11000"));
        QVERIFY(isInSight());
        filter().clear();
        QCoreApplication::processEvents();
        compareAll(QStringLiteral("bulk:11000"));
        QVERIFY(isInSight());
        QCOMPARE(table().horizontalHeader()->sortIndicatorSection(), int(LockTableModel::Name));
        QCOMPARE(table().horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
    }

    void oneOfTenThousandStaysTheOne() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10000; ++i)
            rows.push_back(heldRow(m_clock, LockName("bulk:" + QByteArray::number(i)), 10s));
        m_engine->report(batchOf(rows));
        hideFreeLocks();
        filter().setText(QStringLiteral("bulk"));
        table().setCurrentLock(lockName("bulk:5000"));
        monitor::MonitorBatch batch;
        for (int i = 0; i < 10000; i += 2) {
            const LockName name("bulk:" + QByteArray::number(i));
            if (i % 4 == 0 && i != 5000)
                batch.removed.push_back(name);
            else if (i != 5000)
                batch.changed.push_back(sharedRow(freeRow(m_clock, name)));
        }
        m_engine->report(batch);
        compareAll(QStringLiteral("bulk:5000"));
        m_engine->report(ended("bulk:5000", EventType::Released));
        QCOMPARE(highlighted(), QString());
        QCOMPARE(details(), QStringLiteral("bulk:5000"));
        monitor::MonitorBatch rest;
        for (int i = 1; i < 10000; i += 4)
            rest.removed.push_back(LockName("bulk:" + QByteArray::number(i)));
        m_engine->report(rest);
        QCOMPARE(highlighted(), QString());
        QCOMPARE(forceTarget(), QString());
    }

    void aChangedRowMayBeHidden() {
        table().setCurrentLock(lockName("zz:4"));
        filter().setText(QStringLiteral("8f14"));
        QCOMPARE(highlighted(), QStringLiteral("zz:4"));
        m_engine->report(batchOf({heldRow(m_clock, lockName("zz:4"), 12s, holder(clientB, 1))}));
        QCOMPARE(highlighted(), QString());
        QVERIFY2(absence().startsWith(QStringLiteral("Hidden")), qPrintable(absence()));
    }
};

LOCKKEEPER_TEST(TestLockSelection, Gui)

}  // namespace tst_lockselection

#include "tst_lockselection.moc"
