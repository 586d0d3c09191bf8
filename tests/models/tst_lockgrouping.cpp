// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/groups/lockgrouping.h"

#include <QTest>

namespace tst_lockgrouping {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestLockGrouping : public LockTableTest {
    Q_OBJECT

private:
    LockGrouping grouping(bool isExpanded = true, const std::optional<LockName>& kept = std::nullopt) const {
        return {*m_model, *m_filter, {GroupBy::Prefix, [isExpanded](const GroupKey&) { return isExpanded; }, kept}};
    }
    // Headings between brackets, with the number of their locks.
    QStringList shown(const std::vector<GroupRow>& rows) const {
        QStringList texts;
        for (const GroupRow& row : rows) {
            const std::optional<int> place = m_model->rowOf(row.lock);
            if (row.heading)
                texts << QStringLiteral("[%1 %2]").arg(row.heading->prefix).arg(row.heading->locks);
            else
                texts << (place ? m_model->nameAt(*place).display() : QStringLiteral("gone"));
        }
        return texts;
    }
    static std::vector<GroupRow> finished(LockGrouping& grouping) {
        while (!grouping.isDone())
            grouping.step(4);
        return grouping.takeRows();
    }
    void remove(const LockName& name) { m_model->apply(removalOf({name})); }

    std::unique_ptr<LockFilterModel> m_filter;

private Q_SLOTS:
    void init() {
        makeTable();
        m_time->follow(connected());
        m_filter = std::make_unique<LockFilterModel>();
        m_filter->setSourceModel(m_model.get());
        m_model->apply(batchOf({heldRow(m_clock, lockName("a:1"), 12s), heldRow(m_clock, lockName("b:1"), 12s),
                                heldRow(m_clock, lockName("a:2"), 12s), heldRow(m_clock, lockName("b:2"), 12s)}));
        m_filter->sort(LockTableModel::Name);
    }
    void cleanup() {
        m_filter.reset();
        endTable();
    }

    void stepsOfAnySizeGiveTheSameRows_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("one by one") << 1;
        QTest::newRow("three") << 3;
        QTest::newRow("all") << 4;
        QTest::newRow("more than there are") << 100;
    }
    void stepsOfAnySizeGiveTheSameRows() {
        QFETCH(int, size);
        LockGrouping groups = grouping();
        int steps = 0;
        for (; !groups.isDone(); ++steps)
            groups.step(static_cast<size_t>(size));
        QCOMPARE(steps, (4 + size - 1) / size + 1);
        QCOMPARE(shown(groups.takeRows()), (QStringList{"[a: 2]", "a:1", "a:2", "[b: 2]", "b:1", "b:2"}));
    }

    void aLockThatGoesBetweenStepsHasNoRowAndIsNotCounted() {
        LockGrouping groups = grouping();
        groups.step(1);
        remove(lockName("a:2"));
        QCOMPARE(shown(finished(groups)), (QStringList{"[a: 1]", "a:1", "[b: 2]", "b:1", "b:2"}));
    }

    // The other locks are found although they stand in other rows now.
    void theFirstLockMayGoBeforeAllSteps() {
        LockGrouping groups = grouping();
        remove(lockName("a:1"));
        QCOMPARE(shown(finished(groups)), (QStringList{"[a: 1]", "a:2", "[b: 2]", "b:1", "b:2"}));
    }

    void aLockThatAppearsBetweenStepsIsNotInIt() {
        LockGrouping groups = grouping();
        groups.step(1);
        m_model->apply(batchOf({heldRow(m_clock, lockName("a:0"), 12s)}));
        QCOMPARE(shown(finished(groups)), (QStringList{"[a: 2]", "a:1", "a:2", "[b: 2]", "b:1", "b:2"}));
    }

    void allMayGo() {
        LockGrouping groups = grouping();
        m_model->clear();
        QVERIFY(finished(groups).empty());
    }

    void whatIsNotExpandedHasOnlyTheKeptLock() {
        LockGrouping groups = grouping(false, lockName("b:2"));
        QCOMPARE(shown(finished(groups)), (QStringList{"[a: 2]", "[b: 2]", "b:2"}));
    }
};

LOCKKEEPER_TEST(TestLockGrouping, Gui)

}  // namespace tst_lockgrouping

#include "tst_lockgrouping.moc"
