// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/groups/groupedlocksmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <functional>

namespace tst_groupedlocksmodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestGroupedLocksModel : public LockTableTest {
    Q_OBJECT

private:
    // Headings between brackets.
    QStringList shown() const {
        QStringList rows;
        for (int row = 0; row < m_groups->rowCount(); ++row) {
            const QString name = m_groups->index(row, LockTableModel::Name).data().toString();
            rows << (m_groups->headingAt(row) ? QStringLiteral("[%1]").arg(name) : name);
        }
        return rows;
    }
    QStringList headings() const { return shown().filter(QStringLiteral("[")); }
    QString cell(int row, int column) const { return m_groups->index(row, column).data().toString(); }
    void apply(const std::vector<monitor::LockRow>& rows) {
        m_model->apply(batchOf(rows));
        m_clock.advance(1s);
    }
    void remove(const std::vector<LockName>& names) {
        m_model->apply(removalOf(names));
        m_clock.advance(1s);
    }
    // Calls act in a later turn of the loop; 0 is the next one.
    void inTurn(int turn, const std::function<void()>& act) {
        const Clock::TimerId next =
            m_clock.schedule(m_clock.now(), [this, turn, act] { turn == 0 ? act() : inTurn(turn - 1, act); });
        Q_UNUSED(next)
    }
    static LockName numbered(int number) {
        return LockName("group" + QByteArray::number(number % 100) + ':' + QByteArray::number(number));
    }
    std::vector<monitor::LockRow> numberedRows(int count) const {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < count; ++i)
            rows.push_back(heldRow(m_clock, numbered(i), 12s));
        return rows;
    }
    static GroupKey prefix(const char* text) { return {GroupKey::Kind::Prefix, text}; }

    std::unique_ptr<LockFilterModel> m_filter;
    std::unique_ptr<GroupedLocksModel> m_groups;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        makeTable();
        m_time->follow(connected());
        m_filter = std::make_unique<LockFilterModel>();
        m_filter->setSourceModel(m_model.get());
        m_groups = std::make_unique<GroupedLocksModel>(*m_model, *m_filter, m_clock);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_groups.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_model->apply(batchOf({heldRow(m_clock, lockName("pay:2"), 12s), freeRow(m_clock, lockName("pay:1")),
                                diagnosedRow(m_clock, lockName("orders:3"), {watchdogStopped(m_clock)}),
                                heldRow(m_clock, lockName("orders:4"), 12s, holder(clientB, 1)),
                                freeRow(m_clock, lockName("lonely"))}));
        m_groups->setGroupBy(GroupBy::Prefix);
    }
    void cleanup() {
        m_tester.reset();
        m_groups.reset();
        m_filter.reset();
        endTable();
    }

    void theGroupWithTheMostUrgentLockComesFirst() {
        QCOMPARE(shown(), (QStringList{"[orders:]", "orders:3", "orders:4", "[pay:]", "pay:2", "pay:1",
                                       "[(names without a prefix)]", "lonely"}));
    }

    void aHeadingCountsItsLocks() {
        QCOMPARE(cell(0, LockTableModel::State), QStringLiteral("2"));
        QCOMPARE(cell(0, LockTableModel::HolderColumn), QStringLiteral("2 held"));
        QCOMPARE(cell(0, LockTableModel::DiagnosisColumn), QStringLiteral("1 lock"));
        QCOMPARE(cell(3, LockTableModel::HolderColumn), QStringLiteral("1 held"));
        QCOMPARE(cell(3, LockTableModel::DiagnosisColumn), QString());
        QCOMPARE(
            m_groups->index(0, LockTableModel::Name).data(Qt::AccessibleTextRole).toString(),
            QStringLiteral(
                "Group orders: with 2 locks, 2 held, 1 with a diagnosis. Expanded; the left arrow key collapses it."));
    }

    void byClientALockIsInOneGroup() {
        monitor::LockRow shared = heldRow(m_clock, lockName("rw"), 12s);
        shared.lock.holders.append(holder(clientB, 2));
        apply({shared});
        m_groups->setGroupBy(GroupBy::Client);
        const QString a = QString::fromLatin1(clientA);
        const QString b = QString::fromLatin1(clientB);
        QCOMPARE(shown(),
                 (QStringList{QStringLiteral("[%1]").arg(a), "orders:3", "pay:2", QStringLiteral("[%1]").arg(b),
                              "orders:4", "[(held by several clients)]", "rw", "[(free)]", "lonely", "pay:1"}));
    }

    void byNothingThereAreNoRows() {
        m_groups->setGroupBy(GroupBy::None);
        QCOMPARE(m_groups->rowCount(), 0);
        const QSignalSpy changes(m_groups.get(), &QAbstractItemModel::rowsInserted);
        apply({heldRow(m_clock, lockName("new:1"), 12s)});
        QCOMPARE(changes.count(), 0);
    }

    // ---- changes ----

    void aLockThatAppearsJoinsItsGroup() {
        apply({heldRow(m_clock, lockName("pay:9"), 12s), freeRow(m_clock, lockName("new:1"))});
        QCOMPARE(shown(), (QStringList{"[orders:]", "orders:3", "orders:4", "[pay:]", "pay:2", "pay:9", "pay:1",
                                       "[(names without a prefix)]", "lonely", "[new:]", "new:1"}));
        QCOMPARE(cell(3, LockTableModel::State), QStringLiteral("3"));
    }

    void theLastLockTakesItsGroupWithIt() {
        remove({lockName("orders:3"), lockName("orders:4")});
        QCOMPARE(headings(), (QStringList{"[pay:]", "[(names without a prefix)]"}));
    }

    void aGroupThatBecomesUrgentMovesToTheTop() {
        const QPersistentModelIndex kept = m_groups->indexOf(lockName("lonely"));
        monitor::LockRow deadlocked = diagnosedRow(m_clock, lockName("lonely"), {watchdogStopped(m_clock)});
        apply({deadlocked, heldRow(m_clock, lockName("orders:3"), 12s)});
        QCOMPARE(headings(), (QStringList{"[(names without a prefix)]", "[orders:]", "[pay:]"}));
        QCOMPARE(QModelIndex(kept), m_groups->indexOf(lockName("lonely")));
    }

    // A lock that is handed over moves from one client's group to the other's.
    void aLockMovesToTheGroupOfItsNewHolder() {
        m_groups->setGroupBy(GroupBy::Client);
        const QPersistentModelIndex kept = m_groups->indexOf(lockName("pay:2"));
        apply({heldRow(m_clock, lockName("pay:2"), 12s, holder(clientB, 1))});
        QCOMPARE(m_groups->headingOf(kept), m_groups->indexOf(GroupKey{GroupKey::Kind::Client, clientB}));
    }

    void followsTheFilterAndTheOrder() {
        m_filter->setFilterText(QStringLiteral("pay"));
        m_groups->refresh();
        QCOMPARE(shown(), (QStringList{"[pay:]", "pay:2", "pay:1"}));
        m_filter->setFilterText(QString());
        m_groups->sort(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(shown(), (QStringList{"[pay:]", "pay:2", "pay:1", "[orders:]", "orders:4", "orders:3",
                                       "[(names without a prefix)]", "lonely"}));
    }

    void anotherServerHasNoneOfTheRows() {
        m_model->clear();
        QCOMPARE(m_groups->rowCount(), 0);
    }

    // Between a batch and the next refresh a row may have lost its lock: the row is empty, and never shows another
    // lock.
    void aRowWithoutItsLockIsEmpty() {
        apply({});
        const int row = m_groups->indexOf(lockName("pay:2")).row();
        monitor::MonitorBatch batch;
        batch.removed = {lockName("pay:2")};
        m_model->apply(batch);
        QCOMPARE(cell(row, LockTableModel::Name), QString());
        m_clock.advance(1s);
        QVERIFY(!m_groups->indexOf(lockName("pay:2")).isValid());
    }

    // ---- collapsing ----

    void aCollapsedGroupIsItsHeading() {
        m_groups->setExpanded(prefix("orders:"), false);
        QCOMPARE(shown().mid(0, 2), (QStringList{"[orders:]", "[pay:]"}));
        QCOMPARE(cell(0, LockTableModel::State), QStringLiteral("2"));
        m_groups->setExpanded(prefix("orders:"), true);
        QCOMPARE(shown().mid(0, 4), (QStringList{"[orders:]", "orders:3", "orders:4", "[pay:]"}));
    }

    void groupsThatAppearLaterAreCollapsedToo() {
        m_groups->setAllExpanded(false);
        m_groups->setExpanded(prefix("pay:"), true);
        apply({heldRow(m_clock, lockName("new:1"), 12s)});
        QCOMPARE(shown(),
                 (QStringList{"[orders:]", "[new:]", "[pay:]", "pay:2", "pay:1", "[(names without a prefix)]"}));
    }

    // A user who filters wants to see locks.
    void theLittleThatAFilterLeavesIsExpanded() {
        m_groups->setAllExpanded(false);
        m_filter->setFilterText(QStringLiteral("orders"));
        m_groups->refresh();
        QCOMPARE(shown(), (QStringList{"[orders:]", "orders:3", "orders:4"}));
        m_groups->setAllExpanded(false);
        QCOMPARE(shown(), QStringList{"[orders:]"});
        m_groups->setExpanded(prefix("orders:"), true);
        QCOMPARE(m_groups->rowCount(), 3);
        m_filter->setFilterText(QString());
        m_groups->refresh();
        QCOMPARE(shown(), (QStringList{"[orders:]", "orders:3", "orders:4", "[pay:]", "[(names without a prefix)]"}));
    }

    void theManyThatAFilterLeavesStayCollapsed() {
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 1000; ++i)
            rows.push_back(heldRow(m_clock, numbered(i), 12s));
        apply(rows);
        m_groups->setAllExpanded(false);
        m_filter->setFilterText(QStringLiteral("prefix:group1"));
        m_groups->refresh();
        QCOMPARE(m_groups->rowCount(), 11);  // group1: and group10: to group19:
    }

    void theKeptLockIsShownAlsoInACollapsedGroup() {
        m_groups->setAllExpanded(false);
        m_groups->keepShown(lockName("pay:1"));
        m_clock.advance(1s);
        QCOMPARE(shown(), (QStringList{"[orders:]", "[pay:]", "pay:1", "[(names without a prefix)]"}));
        m_groups->keepShown(std::nullopt);
        m_clock.advance(1s);
        QCOMPARE(m_groups->rowCount(), 3);
    }

    void aLockCanBeExpandedTo() {
        m_groups->setAllExpanded(false);
        m_groups->expandTo(lockName("pay:1"));
        QCOMPARE(shown(), (QStringList{"[orders:]", "[pay:]", "pay:2", "pay:1", "[(names without a prefix)]"}));
        m_groups->expandTo(lockName("not known"));
        QCOMPARE(m_groups->rowCount(), 5);
    }

    // ---- many ----

    void tenThousandLocksAreAFewChanges() {
        const std::vector<monitor::LockRow> rows = numberedRows(10'000);
        const QSignalSpy inserted(m_groups.get(), &QAbstractItemModel::rowsInserted);
        const QSignalSpy changed(m_groups.get(), &QAbstractItemModel::dataChanged);
        m_model->apply(batchOf(rows));
        m_model->apply(batchOf(rows));
        QCOMPARE(inserted.count(), 0);
        m_clock.advance(1s);
        QCOMPARE(m_groups->rowCount(), 8 + 10'000 + 100);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(changed.count(), 1);
    }

    // Reading takes more than one turn of the loop: locks that change between two turns have their rows when they are
    // read again.
    void manyLocksMayChangeWhileTheyAreRead() {
        m_clock.advance(1s);
        m_model->apply(batchOf(numberedRows(20'000)));
        const Clock::TimerId between = m_clock.schedule(m_clock.now(), [this] {
            monitor::MonitorBatch batch = batchOf({heldRow(m_clock, lockName("pay:3"), 12s)});
            batch.removed = {lockName("pay:2"), numbered(19'999)};
            m_model->apply(batch);
        });
        QVERIFY(between != Clock::TimerId::None);
        m_clock.advance(0s);
        QCOMPARE(m_groups->rowCount(), 8 + 20'000 + 100 - 2);
        QVERIFY(!m_groups->indexOf(lockName("pay:2")).isValid());
        QVERIFY(!m_groups->indexOf(lockName("pay:3")).isValid());
        m_clock.advance(2s);
        QCOMPARE(m_groups->rowCount(), 8 + 20'000 + 100 - 1);
        QVERIFY(m_groups->indexOf(lockName("pay:3")).isValid());
    }

    // A grouping that was begun for other rows is never shown.
    void manyLocksMayBeGroupedOtherwiseWhileTheyAreRead_data() {
        QTest::addColumn<int>("turn");
        for (int turn = 0; turn < 9; ++turn)
            QTest::addRow("in turn %d", turn) << turn;
    }
    void manyLocksMayBeGroupedOtherwiseWhileTheyAreRead() {
        QFETCH(const int, turn);
        m_clock.advance(1s);
        m_model->apply(batchOf(numberedRows(20'000)));
        inTurn(turn, [this] { m_groups->setGroupBy(GroupBy::None); });
        m_clock.advance(0s);
        QCOMPARE(m_groups->rowCount(), 0);
        m_groups->setGroupBy(GroupBy::Prefix);
        apply({heldRow(m_clock, lockName("pay:3"), 12s)});
        QCOMPARE(m_groups->rowCount(), 8 + 20'000 + 100 + 1);
        QVERIFY(m_groups->indexOf(lockName("pay:3")).isValid());
    }

    // The view's layout stays as it is, apart from the rows that come and go.
    void rowsThatComeAndGoReorderNothing() {
        const QSignalSpy reordered(m_groups.get(), &QAbstractItemModel::layoutChanged);
        monitor::MonitorBatch batch = batchOf({heldRow(m_clock, lockName("pay:3"), 12s)});
        batch.removed = {lockName("pay:2")};
        m_model->apply(batch);
        m_clock.advance(1s);
        QVERIFY(m_groups->indexOf(lockName("pay:3")).isValid());
        QVERIFY(!m_groups->indexOf(lockName("pay:2")).isValid());
        QCOMPARE(reordered.count(), 0);
    }

    // Six hundred rows all over the table change with a few signals, not with one for each.
    void scatteredChangesAreAFewSignals() {
        std::vector<monitor::LockRow> rows;
        std::vector<LockName> gone;
        for (int i = 0; i < 1000; ++i)
            rows.push_back(heldRow(m_clock, numbered(i * 2), 12s));
        apply(rows);
        const QSignalSpy removed(m_groups.get(), &QAbstractItemModel::rowsRemoved);
        const QSignalSpy inserted(m_groups.get(), &QAbstractItemModel::rowsInserted);
        rows.clear();
        for (int i = 0; i < 300; ++i) {
            gone.push_back(numbered(i * 4));
            rows.push_back(heldRow(m_clock, numbered(i * 4 + 1), 12s));
        }
        monitor::MonitorBatch batch = batchOf(rows);
        batch.removed = gone;
        m_model->apply(batch);
        m_clock.advance(1s);
        QVERIFY2(removed.count() <= 64, qPrintable(QString::number(removed.count())));
        QVERIFY2(inserted.count() <= 64, qPrintable(QString::number(inserted.count())));
        QVERIFY(!m_groups->indexOf(numbered(4)).isValid());
        QCOMPARE(m_groups->index(m_groups->indexOf(numbered(5)).row(), LockTableModel::Name).data().toString(),
                 numbered(5).display());
        QCOMPARE(m_groups->headingOf(m_groups->indexOf(numbered(5))), m_groups->indexOf(prefix("group5:")));
    }
};

LOCKKEEPER_TEST(TestGroupedLocksModel, Gui)

}  // namespace tst_groupedlocksmodel

#include "tst_groupedlocksmodel.moc"
