// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "support/testprogram.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <ctime>

namespace tst_systemclock {

using namespace lockkeeper;
using namespace std::chrono_literals;

// The only unit test that waits for real time; the waits are as short as possible.
class TestSystemClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsAtItsTimeAndNotBefore() {
        SystemClock clock;
        const SteadyTime when = clock.now() + 20ms;
        std::optional<SteadyTime> ran;
        schedule(clock, when, [&] { ran = clock.now(); });
        QTRY_VERIFY(ran);
        QVERIFY(*ran >= when);
    }

    void neverRunsFromWithinSchedule() {
        SystemClock clock;
        bool ran = false;
        schedule(clock, clock.now() - 1s, [&ran] { ran = true; });
        QVERIFY(!ran);
        QTRY_VERIFY(ran);
    }

    void anEarlierTimerOvertakesALaterOne() {
        SystemClock clock;
        QString order;
        schedule(clock, clock.now() + 30ms, [&order] { order += u'b'; });
        schedule(clock, clock.now() + 5ms, [&order] { order += u'a'; });
        QTRY_COMPARE(order, u"ab"_qs);
    }

    void whatIsCancelledDoesNotRun() {
        SystemClock clock;
        QString order;
        const Clock::TimerId cancelled = clock.schedule(clock.now() + 5ms, [&order] { order += u'x'; });
        schedule(clock, clock.now() + 10ms, [&order] { order += u'a'; });
        clock.cancel(cancelled);
        clock.cancel(cancelled);
        clock.cancel(Clock::TimerId::None);
        QTRY_COMPARE(order, u"a"_qs);
    }

    // A handler may run an event loop, as a dialog does.
    void aHandlerMayRunAnEventLoopInWhichTheOthersRun() {
        SystemClock clock;
        QEventLoop loop;
        QString order;
        schedule(clock, clock.now(), [&] {
            QTimer::singleShot(2s, &loop, [&loop] { loop.exit(); });
            loop.exec();
            order += u'b';
        });
        schedule(clock, clock.now() + 5ms, [&] {
            order += u'a';
            loop.quit();
        });
        QTRY_COMPARE(order.size(), 2);
        QCOMPARE(order, u"ab"_qs);
    }

    // A handler that is scheduled for now must not starve the sockets.
    void atOnceIsTheNextTurn() {
        SystemClock clock;
        int runs = 0;
        std::function<void()> again = [&] {
            ++runs;
            schedule(clock, clock.now() - 1s, again);
        };
        schedule(clock, clock.now(), again);
        QTRY_VERIFY(runs >= 1);
        const int before = runs;
        QCoreApplication::processEvents();
        QVERIFY2(runs <= before + 2, "ran on and on within one turn");
    }

    void deadlinesFarAwayAreFine() {
        SystemClock clock;
        bool ran = false;
        schedule(clock, clock.now() + 24h * 365 * 100, [&ran] { ran = true; });
        schedule(clock, SteadyTime::max(), [&ran] { ran = true; });
        QCoreApplication::processEvents();
        QVERIFY(!ran);
        bool soon = false;
        schedule(clock, clock.now() + 5ms, [&soon] { soon = true; });
        QTRY_VERIFY(soon);
        QVERIFY(!ran);
    }

    // Leases and timers use the kernel's monotonic clock, which cannot be set, unlike the wall clock.
    void itsTimeIsSteady() {
        static_assert(SteadyTime::clock::is_steady);
        const SystemClock clock;
        const SteadyTime before = monotonic();
        const SteadyTime now = clock.now();
        QVERIFY(now >= before && now <= monotonic());
    }

    void theWallClockIsTheSystems() {
        const SystemClock clock;
        const WallTime before = std::chrono::system_clock::now();
        const WallTime time = clock.wallNow();
        QVERIFY(time >= before && time <= std::chrono::system_clock::now());
    }

private:
    static SteadyTime monotonic() {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return SteadyTime(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
    }
    static void schedule(SystemClock& clock, SteadyTime when, std::function<void()> handler) {
        QVERIFY(clock.schedule(when, std::move(handler)) != Clock::TimerId::None);
    }
};

LOCKKEEPER_TEST(TestSystemClock, Guiless)

}  // namespace tst_systemclock

#include "tst_systemclock.moc"
