// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/readbudget.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_readbudget {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

class TestReadBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBucketNeverGivesMoreThanItsRateInAnySecond() {
        const TakeRate rate(20, 5);
        TokenBucket bucket;
        std::deque<SteadyTime> taken;
        // A reader that reads whenever it is allowed to, for ten seconds.
        for (SteadyTime now(1h); now < SteadyTime(1h + 10s); now += 100us) {
            if (bucket.nextAt(rate) > now)
                continue;
            bucket.take(now, rate);
            taken.push_back(now);
            while (taken.front() + 1s < now)
                taken.pop_front();
            QVERIFY(taken.size() <= 20);
        }
        QVERIFY(taken.size() >= 15);
    }

    void aRestedBucketGivesABurstAtOnce() {
        const TakeRate rate(20, 5);
        TokenBucket bucket;
        const SteadyTime now(1h);
        for (int i = 0; i < 5; ++i) {
            QVERIFY(bucket.nextAt(rate) <= now);
            bucket.take(now, rate);
        }
        QVERIFY(bucket.nextAt(rate) > now);
    }

    void anIdleBudgetGrantsAtOnce() {
        test::ManualClock clock;
        ReadBudget budget(clock, 2000);
        QVERIFY(budget.take().isCompleted());
        QVERIFY(!clock.hasTimers());
    }

    void grantsInTheOrderOfAskingAndWithinTheBudget() {
        test::ManualClock clock;
        ReadBudget budget(clock, 100);
        std::vector<int> granted;
        for (int i = 0; i < 300; ++i)
            budget.take().then([&granted, i](const Result<Done>&) { granted.push_back(i); });
        QCOMPARE(granted.size(), size_t{10});
        clock.advance(1s);
        QVERIFY2(granted.size() <= 100, qPrintable(QString::number(granted.size())));
        QVERIFY(granted.size() >= 90);
        QVERIFY(budget.usedPerSecond() > 80 && budget.usedPerSecond() <= 100);
        clock.advance(3s);
        QCOMPARE(granted.size(), size_t{300});
        QVERIFY(std::is_sorted(granted.begin(), granted.end()));
        clock.advance(2s);
        QCOMPARE(budget.usedPerSecond(), 0.0);
        QVERIFY(!clock.hasTimers());
    }

    void anotherRateHoldsFromThen() {
        test::ManualClock clock;
        ReadBudget budget(clock, 100);
        int granted = 0;
        for (int i = 0; i < 5000; ++i)
            budget.take().then([&granted](const Result<Done>&) { ++granted; });
        clock.advance(1s);
        QVERIFY2(granted >= 90 && granted <= 100, qPrintable(QString::number(granted)));
        budget.setPerSecond(1000);
        QCOMPARE(budget.perSecond(), 1000);
        granted = 0;
        clock.advance(1s);
        QVERIFY2(granted >= 950 && granted <= 1000, qPrintable(QString::number(granted)));
        budget.setPerSecond(100);
        QVERIFY(budget.usedPerSecond() > 900);
        QCOMPARE(budget.limitOfLastSecond(), 1000);
        granted = 0;
        clock.advance(1s);
        QCOMPARE(budget.limitOfLastSecond(), 100);
        QVERIFY2(granted >= 85 && granted <= 100, qPrintable(QString::number(granted)));
    }

    void whoeverHasToWaitIsReported() {
        test::ManualClock clock;
        ReadBudget budget(clock, 20);
        int waiting = 0;
        budget.whenShort([&waiting] { ++waiting; });
        for (int i = 0; i < 5; ++i)
            (void)budget.take();
        QCOMPARE(waiting, 3);
        QVERIFY(budget.isShort());
        clock.advance(1s);
        QVERIFY(!budget.isShort());
    }

    void aBudgetThatEndsLeavesNoTimerBehind() {
        test::ManualClock clock;
        {
            ReadBudget budget(clock, 10);
            for (int i = 0; i < 5; ++i)
                (void)budget.take();
            QVERIFY(clock.hasTimers());
        }
        QVERIFY(!clock.hasTimers());
    }
};

LOCKKEEPER_TEST(TestReadBudget, Guiless)

}  // namespace tst_readbudget

#include "tst_readbudget.moc"
