// SPDX-License-Identifier: Apache-2.0
#include "lab/run/stoppableclock.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_stoppableclock {

using namespace lockkeeper;
using namespace std::chrono_literals;

// The clock of a lab whose time can be stopped.
class TestStoppableClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsTimersRunInTime() {
        test::ManualClock source;
        lab::StoppableClock clock(source);
        int runs = 0;
        (void)clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        source.advance(9ms);
        QCOMPARE(runs, 0);
        source.advance(1ms);
        QCOMPARE(runs, 1);
    }

    void whileItIsStoppedNoTimePasses() {
        test::ManualClock source;
        lab::StoppableClock clock(source);
        const SteadyTime steady = clock.now();
        const WallTime wall = clock.wallNow();
        clock.stop();
        source.advance(1h);
        QVERIFY(clock.now() == steady);
        QVERIFY(clock.wallNow() == wall);
        clock.resume();
        source.advance(5ms);
        QVERIFY(clock.now() == steady + 5ms);
        QVERIFY(clock.wallNow() == wall + 5ms);
    }

    void aTimerHasTheRestOfItsTimeAfterwards() {
        test::ManualClock source;
        lab::StoppableClock clock(source);
        int runs = 0;
        (void)clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        source.advance(4ms);
        clock.stop();
        source.advance(1h);
        QCOMPARE(runs, 0);
        clock.resume();
        source.advance(5ms);
        QCOMPARE(runs, 0);
        source.advance(1ms);
        QCOMPARE(runs, 1);
    }

    void aTimerThatIsSetMeanwhileRunsAfterwards() {
        test::ManualClock source;
        lab::StoppableClock clock(source);
        int runs = 0;
        clock.stop();
        (void)clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        source.advance(1h);
        QCOMPARE(runs, 0);
        clock.resume();
        source.advance(10ms);
        QCOMPARE(runs, 1);
    }

    void aCancelledTimerNeverRuns() {
        test::ManualClock source;
        lab::StoppableClock clock(source);
        int runs = 0;
        const auto first = clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        const auto second = clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        clock.cancel(first);
        clock.stop();
        clock.cancel(second);
        clock.resume();
        source.advance(1h);
        QCOMPARE(runs, 0);
    }
};

LOCKKEEPER_TEST(TestStoppableClock, Guiless)

}  // namespace tst_stoppableclock

#include "tst_stoppableclock.moc"
