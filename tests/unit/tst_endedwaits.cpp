// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/lockstore.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"
#include "support/touchedkeys.h"

#include <QTest>

namespace tst_endedwaits {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a batch has of waits that have ended: the metrics count them.
class TestEndedWaits : public QObject {
    Q_OBJECT

private:
    static LockSnapshot queued(Milliseconds at, const QList<Holder>& holders, const QList<HolderId>& queue) {
        LockSnapshot lock = snapshot(at, LockKind::Fair, holders, 30000ms);
        for (const HolderId& id : queue)
            lock.fairQueue.append(FairWaiter{id, WallTime(5min)});
        lock.waiters = static_cast<int>(queue.size());
        return lock;
    }
    static void read(LockStore& store, const LockSnapshot& lock, Milliseconds at) {
        (void)store.apply(lock, touched(at, 0));
    }

private Q_SLOTS:
    void aWaitIsReportedOnceWhenItHasEnded() {
        LockStore store;
        (void)store.apply(queued(0s, {exclusive(alice)}, {}), BetweenReads());
        read(store, queued(1s, {exclusive(alice)}, {bob}), 1s);
        QVERIFY(store.take().endedWaits.empty());
        read(store, queued(4s, {exclusive(bob)}, {}), 4s);
        const MonitorBatch batch = store.take();
        QCOMPARE(batch.endedWaits.size(), size_t{1});
        QCOMPARE(batch.endedWaits.front().lock, LockName("L"));
        QVERIFY(batch.endedWaits.front().length.atLeast >= 2s && batch.endedWaits.front().length.atMost <= 4s);
        read(store, queued(5s, {exclusive(bob)}, {}), 5s);
        QVERIFY(store.take().endedWaits.empty());
    }

    // More waits of one lock than are kept for its figures: each is reported.
    void eachOfManyIsReported() {
        LockStore store;
        (void)store.apply(queued(0s, {exclusive(alice)}, {}), BetweenReads());
        HolderId holder = alice;
        size_t reported = 0;
        constexpr int waits = 300;
        for (int i = 0; i < waits; ++i) {
            const HolderId waiter(ClientId("6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f"), ThreadId{1000 + i});
            const Milliseconds now = std::chrono::seconds(2 * i + 1);
            read(store, queued(now, {exclusive(holder)}, {waiter}), now);
            read(store, queued(now + 1s, {exclusive(waiter)}, {}), now + 1s);
            holder = waiter;
            reported += store.take().endedWaits.size();
        }
        QCOMPARE(reported, size_t{waits});
    }

    // Nobody takes the batches: the number of waits in them is bounded.
    void theyAreBounded() {
        StoreLimits limits;
        limits.undelivered = 10;
        LockStore store(limits);
        (void)store.apply(queued(0s, {exclusive(alice)}, {}), BetweenReads());
        HolderId holder = alice;
        for (int i = 0; i < 50; ++i) {
            const HolderId waiter(ClientId("6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f"), ThreadId{1000 + i});
            const Milliseconds now = std::chrono::seconds(2 * i + 1);
            read(store, queued(now, {exclusive(holder)}, {waiter}), now);
            read(store, queued(now + 1s, {exclusive(waiter)}, {}), now + 1s);
            holder = waiter;
        }
        QCOMPARE(store.take().endedWaits.size(), size_t{10});
    }

    // A receiver that is busy finds one batch with all of them.
    void mergedBatchesHaveAll() {
        MonitorBatch batch;
        batch.endedWaits.push_back({LockName("a"), {1s, 2s}});
        MonitorBatch next;
        next.endedWaits.push_back({LockName("b"), {3s, 4s}});
        QVERIFY(!next.isEmpty());
        (void)append(batch, next);
        QCOMPARE(batch.endedWaits.size(), size_t{2});
        QCOMPARE(batch.endedWaits.back().lock, LockName("b"));
    }
};

LOCKKEEPER_TEST(TestEndedWaits, Appless)

}  // namespace tst_endedwaits

#include "tst_endedwaits.moc"
