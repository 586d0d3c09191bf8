// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/locktabletest.h"
#include "support/samplelocks.h"
#include "ui/locks/filter/attentioncount.h"

#include <QTest>

namespace tst_attentioncount {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestAttentionCount : public LockTableTest {
    Q_OBJECT

private:
    AttentionCount counting() const {
        return AttentionCount(*m_model, {{LockFilter(QStringLiteral("diagnosis:watchdog_stopped")), true},
                                         {LockFilter(QStringLiteral("waiters:>0")), false},
                                         {LockFilter(QStringLiteral("held:>10m")), false}});
    }
    monitor::LockRow heldFor(const char* name, Milliseconds time) const {
        monitor::LockRow row = heldRow(m_clock, lockName(name), 12s);
        row.hold.since = m_clock.now() - time;
        return row;
    }

private Q_SLOTS:
    void init() {
        makeTable();
        m_time->follow(connected());
        monitor::LockRow awaited = heldFor("awaited", 1min);
        awaited.lock.waiters = 2;
        m_model->apply(batchOf({diagnosedRow(m_clock, lockName("stopped"), {watchdogStopped(m_clock)}), awaited,
                                heldFor("long", 11min), freeRow(m_clock, lockName("free"))}));
    }
    void cleanup() { endTable(); }

    void countsThoseThatPassEachFilter() {
        AttentionCount count = counting();
        count.step(100);
        QVERIFY(count.isDone());
        QCOMPARE(count.found(), (std::vector<int>{1, 1, 1}));
    }

    void inStepsItIsTheSame() {
        AttentionCount count = counting();
        for (int step = 1; step <= 4; ++step) {
            QVERIFY(!count.isDone());
            count.step(1);
        }
        QVERIFY(count.isDone());
        QCOMPARE(count.found(), (std::vector<int>{1, 1, 1}));
    }

    void aLockCountsAsItIsAtItsStep() {
        AttentionCount count = counting();
        count.step(1);
        m_model->apply(batchOf({freeRow(m_clock, lockName("awaited"))}));
        m_model->apply(removalOf({lockName("stopped")}));
        count.step(3);
        QCOMPARE(count.found(), (std::vector<int>{1, 0, 1}));
    }

    void tellsWhenTheNextOneIsHeldForLong() {
        AttentionCount count = counting();
        count.step(4);
        QCOMPARE(count.untilNextLongHeld(), std::optional<Milliseconds>(9min));
    }

    void ofOldRowsNoneWillBeHeldForLong() {
        m_time->follow(reconnecting(m_clock.wallNow()));
        AttentionCount count = counting();
        count.step(4);
        QCOMPARE(count.untilNextLongHeld(), std::optional<Milliseconds>());
    }
};

LOCKKEEPER_TEST(TestAttentionCount, Gui)

}  // namespace tst_attentioncount

#include "tst_attentioncount.moc"
