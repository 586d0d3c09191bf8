// SPDX-License-Identifier: Apache-2.0
#include "session/sleepwatch.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_sleepwatch {

using namespace lockkeeper;
using namespace std::chrono_literals;

// A timer that runs late shows that the machine has slept.
class TestSleepWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeThatPassesIsNoSleep() {
        test::ManualClock clock;
        const SleepWatch watch(clock);
        const QSignalSpy slept(&watch, &SleepWatch::slept);
        clock.advance(1h);
        clock.passUnnoticed(SleepWatch::tolerance);
        clock.advance(1h);
        QCOMPARE(slept.count(), 0);
    }

    void aSleepIsSaidOnce() {
        test::ManualClock clock;
        const SleepWatch watch(clock);
        const QSignalSpy slept(&watch, &SleepWatch::slept);
        clock.passUnnoticed(1h);
        clock.advance(1min);
        QCOMPARE(slept.count(), 1);
        QVERIFY(slept.first().first().value<Milliseconds>() > 59min);
    }

    void itsTimerEndsWithIt() {
        test::ManualClock clock;
        { const SleepWatch watch(clock); }
        QVERIFY(!clock.hasTimers());
    }
};

LOCKKEEPER_TEST(TestSleepWatch, Guiless)

}  // namespace tst_sleepwatch

#include "tst_sleepwatch.moc"
