// SPDX-License-Identifier: Apache-2.0
#include "lab/actorclock.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_actorclock {

using namespace lockkeeper;
using namespace std::chrono_literals;

// The clock of an actor that can be frozen.
class TestActorClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsTimersRunInTime() {
        test::ManualClock source;
        lab::ActorClock clock(source);
        int runs = 0;
        (void)clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        source.advance(9ms);
        QCOMPARE(runs, 0);
        source.advance(1ms);
        QCOMPARE(runs, 1);
    }

    void whileItIsFrozenTimePassesAndNoTimerRuns() {
        test::ManualClock source;
        lab::ActorClock clock(source);
        QByteArray runs;
        const SteadyTime begin = clock.now();
        (void)clock.schedule(begin + 10ms, [&runs] { runs += 'a'; });
        (void)clock.schedule(begin + 20ms, [&runs] { runs += 'b'; });
        (void)clock.schedule(begin + 40ms, [&runs] { runs += 'c'; });
        clock.freeze();
        source.advance(30ms);
        QCOMPARE(runs, "");
        QCOMPARE(clock.now() - begin, 30ms);
        clock.resume();
        source.advance(0ms);
        QCOMPARE(runs, "ab");
        source.advance(10ms);
        QCOMPARE(runs, "abc");
    }

    void aDueTimerCanBeCancelled() {
        test::ManualClock source;
        lab::ActorClock clock(source);
        int runs = 0;
        const Clock::TimerId timer = clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        clock.freeze();
        source.advance(10ms);
        clock.cancel(timer);
        clock.resume();
        source.advance(10ms);
        QCOMPARE(runs, 0);
        clock.cancel(timer);
        clock.cancel(Clock::TimerId::None);
    }

    void itsTimersEndWithIt() {
        test::ManualClock source;
        int runs = 0;
        {
            lab::ActorClock clock(source);
            (void)clock.schedule(clock.now() + 10ms, [&runs] { ++runs; });
        }
        source.advance(10ms);
        QCOMPARE(runs, 0);
    }

    void itsWallClockMayBeAhead() {
        test::ManualClock source;
        lab::ActorClock clock(source);
        const SteadyTime steady = clock.now();
        clock.jump(10s);
        QVERIFY(clock.wallNow() - source.wallNow() == 10s);
        QVERIFY(clock.now() == steady);
    }
};

LOCKKEEPER_TEST(TestActorClock, Appless)

}  // namespace tst_actorclock

#include "tst_actorclock.moc"
