// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/busylocks.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_busylocks {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const LockName theLock("L");

// One hold was taken and released in the 100 ms before.
BusyLocks::Reading takenAndFreed(BusyLocks& locks, Milliseconds now, int messages, std::optional<SteadyTime> lastEnd) {
    const LockSnapshot before = free(now - 100ms);
    const LockSnapshot after = free(now);
    BetweenReads between;
    between.touch = KeyTouch::Touched;
    between.touchedAt = at(now - 50ms);
    between.messages = messages;
    between.firstMessageAt = at(now - 40ms);
    return locks.follow(before, after, compareSnapshots(before, after, between), between, lastEnd);
}

}  // namespace

class TestBusyLocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockThatIsTakenNowAndThenCostsNothing() {
        BusyLocks locks;
        QCOMPARE(takenAndFreed(locks, 1s, 1, std::nullopt), BusyLocks::Reading::Same);
        QCOMPARE(takenAndFreed(locks, 61s, 1, at(1s)), BusyLocks::Reading::Same);
        QVERIFY(!locks.nextIdle());
    }

    void messagesFromBeforeItWasWatchedAreNotCounted() {
        BusyLocks locks;
        BetweenReads between;
        between.messages = 2;
        QCOMPARE(locks.follow(free(1s), free(2s), {}, between, at(0s)), BusyLocks::Reading::Same);
        QVERIFY(!locks.nextIdle());
    }

    void aBusyLockIsReportedTwiceASecond() {
        BusyLocks locks;
        int told = 0;
        for (Milliseconds now = 1s; now < 6s; now += 100ms)
            told += takenAndFreed(locks, now, 10, at(now - 100ms)) == BusyLocks::Reading::New ? 1 : 0;
        QCOMPARE(told, 10);
        QCOMPARE(qRound(locks.reading(theLock)->perSecond(locks.reading(theLock)->releases)), 100);
    }

    void whoComesToRestIsForgotten() {
        BusyLocks locks;
        for (Milliseconds now = 1s; now < 6s; now += 100ms)
            takenAndFreed(locks, now, 10, at(now - 100ms));
        const SteadyTime idle = at(5900ms) + ThroughputMeter::window;
        const SteadyTime asked = at(1s) + ThroughputMeter::window;
        QCOMPARE(locks.nextIdle(), std::optional(asked));
        QCOMPARE(locks.takeIdle(asked), QList<LockName>());
        QCOMPARE(locks.nextIdle(), std::optional(idle));
        QCOMPARE(locks.takeIdle(idle - 1ms), QList<LockName>());
        QCOMPARE(locks.takeIdle(idle), QList<LockName>{theLock});
        QVERIFY(!locks.reading(theLock));
        QVERIFY(!locks.nextIdle());
    }

    void afterAGapNothingIsKnown() {
        BusyLocks locks;
        for (Milliseconds now = 1s; now < 6s; now += 100ms)
            takenAndFreed(locks, now, 10, at(now - 100ms));
        BetweenReads gap;
        gap.gap = 500ms;
        QCOMPARE(locks.follow(free(6s), free(7s), {}, gap, std::nullopt), BusyLocks::Reading::New);
        QVERIFY(!locks.reading(theLock));
        QVERIFY(!locks.nextIdle());
    }

    void isBounded() {
        BusyLocks locks;
        BetweenReads between;
        between.messages = 2;
        between.firstMessageAt = at(1s);
        for (int i = 0; i < BusyLocks::most + 10; ++i) {
            LockSnapshot lock = free(1s);
            lock.name = LockName(QByteArray::number(i));
            LockSnapshot later = lock;
            later.seenAt += 100ms;
            (void)locks.follow(lock, later, {}, between, std::nullopt);
        }
        QCOMPARE(locks.takeIdle(at(1min)).size(), BusyLocks::most);
    }
};

LOCKKEEPER_TEST(TestBusyLocks, Appless)

}  // namespace tst_busylocks

#include "tst_busylocks.moc"
