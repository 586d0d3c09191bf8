// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/filter/attentionstrip.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/table/groupmenu.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

namespace tst_grouping {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The table of the real window under headings.
class TestGrouping : public WindowTest {
    Q_OBJECT

private:
    LocksPage& page() const { return m_window->currentPage().locksPage(); }
    void groupByPrefix() { action("actionGroupBy_prefix").trigger(); }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&table(), Qt::Key(key), modifiers);
    }
    QString at(int row) const { return table().model()->index(row, LockTableModel::Name).data().toString(); }
    QStringList shown() const {
        QStringList names;
        for (int row = 0; row < table().model()->rowCount(); ++row)
            names << at(row);
        return names;
    }
    QString current() const { return table().currentIndex().isValid() ? at(table().currentIndex().row()) : QString(); }
    QString selected() const { return table().currentLock() ? table().currentLock()->display() : QString(); }
    void click(int row, int column) {
        const QRect cell = table().visualRect(table().model()->index(row, column));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cell.center());
    }
    QToolButton& watchdogStoppedButton() const {
        return find<QToolButton>(
            qPrintable(QStringLiteral("attention_%1").arg(static_cast<int>(Attention::WatchdogStopped))));
    }
    void selectHeading(int row) { table().setCurrentIndex(table().model()->index(row, LockTableModel::State)); }

private Q_SLOTS:
    void init() {
        beginConnected();
        m_engine->report(batchOf({heldRow(m_clock, lockName("pay:2"), 12s), freeRow(m_clock, lockName("pay:1")),
                                  diagnosedRow(m_clock, lockName("orders:3"), {watchdogStopped(m_clock)}),
                                  heldRow(m_clock, lockName("orders:4"), 12s, holder(clientB, 1))}));
        table().setFocus();
    }
    void cleanup() { end(); }

    void theMenuGroupsTheTable() {
        groupByPrefix();
        QCOMPARE(shown(), (QStringList{"orders:", "orders:3", "orders:4", "pay:", "pay:2", "pay:1"}));
        action("actionGroupBy_none").trigger();
        QCOMPARE(shown(), (QStringList{"orders:3", "orders:4", "pay:2", "pay:1"}));
    }

    void columnsAndOrderStay() {
        action("actionColumn_3").setChecked(true);
        action("actionSort_1").trigger();
        const int width = table().columnWidth(LockTableModel::HolderColumn);
        groupByPrefix();
        QVERIFY(!table().isColumnHidden(LockTableModel::Kind));
        QVERIFY(table().isColumnHidden(LockTableModel::Rate));
        QCOMPARE(table().columnWidth(LockTableModel::HolderColumn), width);
        QCOMPARE(shown(), (QStringList{"orders:", "orders:3", "orders:4", "pay:", "pay:1", "pay:2"}));
        action("actionSort_1").trigger();
        QCOMPARE(shown(), (QStringList{"pay:", "pay:2", "pay:1", "orders:", "orders:4", "orders:3"}));
    }

    // ---- the selection ----

    void theSelectedLockStaysSelected() {
        page().reveal(lockName("pay:1"));
        groupByPrefix();
        QCOMPARE(selected(), QStringLiteral("pay:1"));
        QCOMPARE(current(), QStringLiteral("pay:1"));
        m_engine->report(batchOf({heldRow(m_clock, lockName("a:1"), 12s), heldRow(m_clock, lockName("b:1"), 12s)}));
        m_clock.advance(1s);
        QCOMPARE(current(), QStringLiteral("pay:1"));
        action("actionGroupBy_none").trigger();
        QCOMPARE(current(), QStringLiteral("pay:1"));
    }

    void aSelectedLockThatGoesIsReplacedByNoOther() {
        groupByPrefix();
        page().reveal(lockName("pay:2"));
        monitor::MonitorBatch batch;
        batch.removed = {lockName("pay:2")};
        m_engine->report(batch);
        m_clock.advance(1s);
        QCOMPARE(selected(), QStringLiteral("pay:2"));
        QCOMPARE(current(), QString());
        QVERIFY(!action("actionCopyName").isEnabled());
    }

    void onAHeadingNoLockIsSelected() {
        groupByPrefix();
        page().reveal(lockName("orders:4"));
        press(Qt::Key_Down);
        QCOMPARE(current(), QStringLiteral("pay:"));
        QCOMPARE(selected(), QString());
        QVERIFY(!action("actionCopyName").isEnabled());
        press(Qt::Key_Down);
        QCOMPARE(selected(), QStringLiteral("pay:2"));
    }

    void theKeyboardStaysOnAHeadingThatMoves() {
        groupByPrefix();
        selectHeading(3);
        m_engine->report(batchOf({heldRow(m_clock, lockName("pay:2"), 12s),
                                  diagnosedRow(m_clock, lockName("a:1"), {watchdogStopped(m_clock)}),
                                  freeRow(m_clock, lockName("orders:3")), freeRow(m_clock, lockName("orders:4"))}));
        m_clock.advance(1s);
        QCOMPARE(current(), QStringLiteral("pay:"));
        QCOMPARE(shown().first(), QStringLiteral("a:"));
    }

    void aLockOfACollapsedGroupCanBeRevealed() {
        groupByPrefix();
        action("actionCollapseGroups").trigger();
        QCOMPARE(shown(), (QStringList{"orders:", "pay:"}));
        page().reveal(lockName("pay:1"));
        QCOMPARE(current(), QStringLiteral("pay:1"));
        QVERIFY(action("actionCopyName").isEnabled());
    }

    void enterInTheFilterSelectsTheFirstLock() {
        groupByPrefix();
        auto& filter = find<QLineEdit>("lockFilter");
        filter.setText(QStringLiteral("pay"));
        QCOMPARE(shown(), (QStringList{"pay:", "pay:2", "pay:1"}));
        QTest::keyClick(&filter, Qt::Key_Return);
        QCOMPARE(selected(), QStringLiteral("pay:2"));
    }

    // ---- collapsing ----

    void keysCollapseAndExpand() {
        groupByPrefix();
        selectHeading(0);
        press(Qt::Key_Left);
        QCOMPARE(shown(), (QStringList{"orders:", "pay:", "pay:2", "pay:1"}));
        QCOMPARE(current(), QStringLiteral("orders:"));
        press(Qt::Key_Right);
        QCOMPARE(shown().size(), 6);
        press(Qt::Key_Return);
        QCOMPARE(shown().size(), 4);
        press(Qt::Key_Space);
        QCOMPARE(shown().size(), 6);
    }

    void leftInTheFirstColumnGoesToTheHeading() {
        groupByPrefix();
        table().setCurrentIndex(table().model()->index(2, LockTableModel::State));
        QCOMPARE(selected(), QStringLiteral("orders:4"));
        press(Qt::Key_Left);
        QCOMPARE(current(), QStringLiteral("orders:"));
        press(Qt::Key_Left);
        QCOMPARE(shown().size(), 4);
    }

    void theArrowAndADoubleClickCollapse() {
        groupByPrefix();
        click(0, LockTableModel::State);
        QCOMPARE(shown().size(), 4);
        click(0, LockTableModel::Name);
        QCOMPARE(shown().size(), 4);
        const QRect name = table().visualRect(table().model()->index(0, LockTableModel::Name));
        QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, name.center());
        QCOMPARE(shown().size(), 6);
    }

    // The details stay those of the selected lock, so its row stays, too.
    void collapsingAllKeepsTheSelectedLock() {
        groupByPrefix();
        page().reveal(lockName("pay:1"));
        action("actionCollapseGroups").trigger();
        QCOMPARE(shown(), (QStringList{"orders:", "pay:", "pay:1"}));
        QCOMPARE(current(), QStringLiteral("pay:1"));
    }

    // ---- beside the rest of the window ----

    void aGroupCanBeShownAlone() {
        groupByPrefix();
        QVERIFY(!action("actionShowGroup").isEnabled());
        selectHeading(3);
        Q_EMIT find<GroupMenu>("groupMenu").aboutToShow();
        action("actionShowGroup").trigger();
        QCOMPARE(find<QLineEdit>("lockFilter").text(), QStringLiteral("prefix:pay:"));
        QCOMPARE(shown(), (QStringList{"pay:", "pay:2", "pay:1"}));
    }

    void theAttentionStripFiltersGroups() {
        groupByPrefix();
        action("actionCollapseGroups").trigger();
        m_clock.advance(1s);
        watchdogStoppedButton().click();
        QCOMPARE(shown(), (QStringList{"orders:", "orders:3"}));
    }

    void aSecondClickBringsBackWhatWasShown() {
        m_clock.advance(1s);
        auto& filter = find<QLineEdit>("lockFilter");
        find<QCheckBox>("showFreeLocks").setChecked(false);
        filter.setText(QStringLiteral("pay"));
        const QStringList before = shown();
        watchdogStoppedButton().click();
        QCOMPARE(shown(), QStringList{"orders:3"});
        watchdogStoppedButton().click();
        QCOMPARE(shown(), before);
        QCOMPARE(filter.text(), QStringLiteral("pay"));
        QVERIFY(!find<QCheckBox>("showFreeLocks").isChecked());
    }

    void groupingIsKept() {
        groupByPrefix();
        action("actionCollapseGroups").trigger();
        m_window->currentPage().saveSettings();
        restart();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("x:1"), 12s), heldRow(m_clock, lockName("y:1"), 12s)}));
        m_clock.advance(1s);
        QVERIFY(action("actionGroupBy_prefix").isChecked());
        QCOMPARE(shown(), (QStringList{"x:", "y:"}));
    }

    void tenThousandLocksCollapseAndExpand() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 10'000; ++i)
            rows.push_back(
                heldRow(m_clock, LockName("group" + QByteArray::number(i % 10) + ':' + QByteArray::number(i)), 12s));
        m_engine->report(batchOf(rows));
        groupByPrefix();
        QCOMPARE(shown().size(), 12);  // only the headings, because there are many locks
        action("actionExpandGroups").trigger();
        QCOMPARE(shown().size(), 4 + 2 + 10'000 + 10);
        action("actionCollapseGroups").trigger();
        QCOMPARE(shown().size(), 12);
        page().reveal(LockName("group7:9997"));
        QCOMPARE(selected(), QStringLiteral("group7:9997"));
        QVERIFY(table().viewport()->rect().intersects(table().visualRect(table().currentIndex())));
    }
};

LOCKKEEPER_TEST(TestGrouping, Gui)

}  // namespace tst_grouping

#include "tst_grouping.moc"
