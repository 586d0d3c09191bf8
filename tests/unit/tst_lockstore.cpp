// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/lockstore.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"
#include "support/touchedkeys.h"

#include <QTest>

namespace tst_lockstore {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const LockName theLock("L");

LockSnapshot named(LockSnapshot lock, const QByteArray& name) {
    lock.name = LockName(name);
    return lock;
}

LockSnapshot fairSnapshot(Milliseconds at, const QList<Holder>& holders, const QList<HolderId>& queue) {
    LockSnapshot lock = snapshot(at, queue.isEmpty() ? LockKind::Reentrant : LockKind::Fair, holders, 30000ms - at);
    for (const HolderId& id : queue)
        lock.fairQueue.append(FairWaiter{id, std::nullopt});
    if (!queue.isEmpty())
        lock.waiters = static_cast<int>(queue.size());
    return lock;
}

constexpr topology::ShardId firstShard{0};
constexpr topology::ShardId secondShard{1};

LockSnapshot onNode(LockSnapshot lock, topology::ShardId shard) {
    lock.node = NodePointer(new Node(shard, QStringLiteral("node%1:6379").arg(static_cast<quint32>(shard))));
    return lock;
}

}  // namespace

class TestLockStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstBatchAsksToReset() {
        LockStore store;
        QVERIFY(store.hasChanges());
        QVERIFY(store.take().reset);
        QVERIFY(!store.hasChanges());
        QVERIFY(store.take().isEmpty());
    }

    void aLockIsFoundUpToTheFirstSweepAndAcquiredLater() {
        LockStore store;
        store.apply(named(held(0ms, alice), "early"), {});
        store.endSweepOf({});
        store.endSweep(7, WallTime(1ms));
        store.apply(named(held(2ms, alice), "late"), {});
        const MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList({"found alice", "swept", "acquired alice"}));
        QCOMPARE(batch.events.at(1).sweptKeys, quint64{7});
        QCOMPARE(batch.events.at(1).sweptLocks, quint64{1});
        QCOMPARE(store.held(), 2);
    }

    void eachShardHasAFirstSweepOfItsOwn() {
        LockStore store;
        store.endSweepOf(firstShard);
        store.apply(onNode(named(held(0ms, alice), "swept"), firstShard), {});
        store.apply(onNode(named(held(0ms, bob), "not swept"), secondShard), {});
        QCOMPARE(described(store.take().events), QByteArrayList({"acquired alice", "found bob"}));
    }

    void aServerWithoutDataIsOneEvent() {
        LockStore store;
        store.apply(onNode(named(held(0ms, alice), "a"), firstShard), {});
        store.apply(onNode(named(held(0ms, bob), "b"), firstShard), {});
        store.apply(onNode(named(held(0ms, carol), "c"), secondShard), {});
        store.apply(onNode(named(test::free(0ms), "free"), firstShard), {});
        (void)store.take();
        (void)store.feed(DatabaseEmptied{firstShard, WallTime(1ms)});
        const MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList{"emptied"});
        QCOMPARE(batch.events.front().sweptLocks, quint64{2});
        QCOMPARE(store.held(), 3);  // the reads that follow show each of them
    }

    void aServerWithoutDataThatHadNoLockIsNoEvent() {
        LockStore store;
        store.apply(onNode(named(held(0ms, carol), "c"), secondShard), {});
        (void)store.take();
        (void)store.feed(DatabaseEmptied{firstShard, WallTime(1ms)});
        QVERIFY(store.take().events.empty());
    }

    // A single refusal is out of date at once while slots move fast.
    void aKnownLockThatIsRefusedAgainAndAgainIsMarked() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        (void)store.take();
        store.noteUnread(theLock);
        store.noteUnread(theLock);
        QVERIFY(store.unread().isEmpty());
        QVERIFY(!store.hasChanges());
        store.noteUnread(theLock);
        QCOMPARE(store.unread(), QList{theLock});
        const MonitorBatch marked = store.take();
        QCOMPARE(marked.changed.size(), size_t{1});
        QVERIFY(marked.changed.front()->isUnread && marked.changed.front()->lock.isHeld());
        store.endSweep(0, WallTime(1ms));
        store.endSweep(0, WallTime(1ms));
        QCOMPARE(store.unread(), QList{theLock});
        store.apply(held(10ms, alice), {});
        QVERIFY(store.unread().isEmpty());
        const MonitorBatch read = store.take();
        QCOMPARE(read.changed.size(), size_t{1});
        QVERIFY(!read.changed.front()->isUnread);
    }

    void anUnknownNameIsUnreadAsLongAsSweepsFindIt() {
        LockStore store;
        store.noteUnread(theLock);
        QCOMPARE(store.unread(), QList{theLock});
        store.endSweep(1, WallTime(1ms));
        QCOMPARE(store.unread(), QList{theLock});
        store.noteUnread(theLock);
        store.endSweep(1, WallTime(2ms));
        QCOMPARE(store.unread(), QList{theLock});
        store.endSweep(1, WallTime(3ms));
        QVERIFY(store.unread().isEmpty());
    }

    // It is not known since when the lock is held.
    void aLockThatCouldNotBeReadIsFoundAndNotAcquired() {
        LockStore store;
        store.endSweepOf({});
        store.noteUnread(theLock);
        store.apply(held(0ms, alice), {});
        store.endSweep(1, WallTime(1ms));
        store.noteUnread(LockName("later"));
        store.apply(named(held(1ms, bob), "later"), {});
        QCOMPARE(described(store.take().events), QByteArrayList({"found alice", "swept", "acquired bob"}));
    }

    void aRowIsSentOnceHoweverOftenItChanged() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        store.apply(held(10ms, alice, 2), touched(9ms));
        store.apply(held(20ms, alice, 3), touched(19ms));
        const MonitorBatch batch = store.take();
        QCOMPARE(batch.changed.size(), size_t{1});
        QCOMPARE(batch.changed.front()->lock.holders.front().count, 3);
        QCOMPARE(described(batch.events), QByteArrayList({"found alice", "reentered alice", "reentered alice"}));
    }

    void aRowSaysSinceWhenClientsWait() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        store.setWaiting({}, at(1000ms), WallTime(1000ms));
        (void)store.take();
        store.setWaiting({{theLock, {1}}}, at(3000ms), WallTime(3000ms));
        const WaitingSince first{1, WallTime(1000ms), WallTime(3000ms), std::nullopt};
        MonitorBatch batch = store.take();
        QCOMPARE(batch.changed.front()->waits->present, QList{first});
        QCOMPARE(described(batch.events), QByteArrayList{"waiters"});
        QCOMPARE(batch.events.front().waits->present, QList{first});
        store.setWaiting({{theLock, {2}}}, at(5000ms), WallTime(5000ms));
        const WaitingSince second{1, WallTime(3000ms), WallTime(5000ms), std::nullopt};
        QCOMPARE(store.take().changed.front()->waits->present, (QList{first, second}));
        store.apply(held(7000ms, bob), touched(7000ms, 1));
        store.setWaiting({{theLock, {1}}}, at(8000ms), WallTime(8000ms));
        batch = store.take();
        QVERIFY(batch.changed.front()->waits->past);
        QCOMPARE(batch.changed.front()->waits->past->longest, (WaitTimes::Length{2000ms, 6000ms}));
        store.setWaiting({}, at(9000ms), WallTime(9000ms));
        QVERIFY(store.take().changed.front()->waits->present.isEmpty());
    }

    // A count names only locks that somebody waits for.
    void aClientThatNoEarlierCountHadCameSinceThatCount() {
        LockStore store;
        store.setWaiting({}, at(500ms), WallTime(500ms));
        store.apply(held(1000ms, alice), {});
        store.setWaiting({}, at(2000ms), WallTime(2000ms));
        store.apply(named(held(2500ms, bob), "late"), {});
        (void)store.take();
        store.setWaiting({{theLock, {1}}, {LockName("late"), {1}}}, at(3000ms), WallTime(3000ms));
        QCOMPARE(store.row(theLock)->waits->present,
                 (QList{WaitingSince{1, WallTime(2000ms), WallTime(3000ms), std::nullopt}}));
        QCOMPARE(store.row(LockName("late"))->waits->present,
                 (QList{WaitingSince{1, std::nullopt, WallTime(3000ms), std::nullopt}}));
    }

    void aWaitThatEndedIsOnTheEventOfItsEnd() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        store.apply(fairSnapshot(1000ms, {exclusive(alice)}, {bob}), {});
        (void)store.take();
        store.apply(fairSnapshot(4000ms, {exclusive(bob)}, {}), touched(4000ms, 1));
        const MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events).first(), QByteArray("handed_over bob"));
        QVERIFY(batch.events.front().waits->past);
        QCOMPARE(batch.events.front().waits->past->longest, (WaitTimes::Length{3000ms, 4000ms}));
    }

    void oneLockUnderTwoNamesIsSaidOfBoth_data() {
        QTest::addColumn<bool>("isShorterHeld");
        QTest::addColumn<bool>("isLongerHeld");
        QTest::addColumn<bool>("isOtherClient");
        QTest::addColumn<int>("certainty");  // -1: no diagnosis
        const auto suspected = static_cast<int>(Certainty::Suspected);
        QTest::newRow("held at once, by different clients")
            << true << true << true << static_cast<int>(Certainty::Likely);
        QTest::newRow("held at once, by one client") << true << true << false << suspected;
        QTest::newRow("one of them was never held") << true << false << true << -1;
        QTest::newRow("the other was never held") << false << true << true << -1;
    }
    void oneLockUnderTwoNamesIsSaidOfBoth() {
        QFETCH(const bool, isShorterHeld);
        QFETCH(const bool, isLongerHeld);
        QFETCH(const bool, isOtherClient);
        QFETCH(const int, certainty);
        const LockName shorter("app:orders");
        const LockName longer("app:app:orders");
        LockStore store;
        store.apply(named(isShorterHeld ? held(0ms, alice) : free(0ms), shorter.bytes()), {});
        store.apply(named(isLongerHeld ? held(1ms, isOtherClient ? bob : alice) : free(1ms), longer.bytes()), {});
        store.apply(named(held(2ms, alice), "web:orders"), {});
        QVERIFY(store.row(LockName("web:orders"))->diagnoses.isEmpty());
        for (const LockName& name : {shorter, longer}) {
            const QList<Diagnosis> found = store.row(name)->diagnoses;
            QCOMPARE(found.size(), certainty < 0 ? 0 : 1);
            if (found.isEmpty())
                continue;
            QCOMPARE(static_cast<int>(found.first().certainty), certainty);
            QVERIFY(std::get<TwoNames>(found.first().evidence).other == (name == shorter ? longer : shorter));
        }
    }

    void oneOfTwoNamesIsNoFaultAnyMore() {
        LockStore store;
        store.apply(named(held(0ms, alice), "app:orders"), {});
        store.apply(named(held(1ms, bob), "app:app:orders"), {});
        store.apply(named(free(2ms), "app:app:orders"), touched(2ms, 1));
        QCOMPARE(store.row(LockName("app:orders"))->diagnoses.first().certainty, Certainty::Suspected);
        (void)store.forgetFree(at(70s));
        QVERIFY(!store.knows(LockName("app:app:orders")));
        QVERIFY(store.row(LockName("app:orders"))->diagnoses.isEmpty());
    }

    void aRowThatWasPassedOnStaysAsItWas() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        const SharedRow passedOn = store.take().changed.front();
        store.apply(free(10ms), touched(9ms, 1));
        QVERIFY(!store.take().changed.front()->lock.isHeld());
        QVERIFY(passedOn->lock.isHeld());
    }

    void releasesAreCountedThatNoReadSaw() {
        LockStore store;
        BetweenReads received = touched(9ms, 3);
        received.releasesReceived = 2;
        store.apply(held(0ms, alice), received);  // read because of two messages
        QCOMPARE(store.row(theLock)->releasesReceived, quint64{2});
        received.releasesReceived = 5;
        store.apply(held(10ms, alice), received);
        QCOMPARE(store.take().changed.front()->releasesReceived, quint64{5});
        // The same lease and the same holder: the new count of releases alone is a change.
        BetweenReads quiet;
        quiet.releasesReceived = 6;
        store.apply(held(20ms, alice, 1, 29990ms), quiet);
        QCOMPARE(store.take().changed.front()->releasesReceived, quint64{6});
        // The read of a sweep has a count of zero, which must not make the known count smaller.
        store.apply(held(30ms, alice, 1, 29980ms), {});
        QCOMPARE(store.row(theLock)->releasesReceived, quint64{6});
    }

    void aReadThatOnlyConfirmsChangesNothing() {
        LockStore store;
        store.apply(held(0ms, alice, 1, 30000ms), {});
        (void)store.take();
        store.apply(held(1000ms, alice, 1, 29000ms), {});
        QVERIFY(!store.hasChanges());
    }

    void countsRenewalsOfThePresentHold() {
        LockStore store;
        store.apply(held(0ms, alice, 1, 20000ms), {});
        store.apply(held(10ms, alice, 1, 30000ms), touched(9ms));
        store.apply(held(5010ms, alice, 1, 30000ms), touched(5009ms));
        QCOMPARE(store.row(theLock)->hold.renewals, 2);
        QCOMPARE(store.row(theLock)->hold.lastRenewal, at(5010ms));
        QCOMPARE(store.row(theLock)->hold.peakTtl, Milliseconds(30000));
        store.apply(held(5100ms, bob, 1, 10000ms), touched(5099ms, 1));
        QCOMPARE(store.row(theLock)->hold.renewals, 0);
        QCOMPARE(store.row(theLock)->hold.peakTtl, Milliseconds(10000));
    }

    void knowsSinceWhenALockIsHeld() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        QVERIFY(!store.row(theLock)->hold.isBeginSeen());
        QCOMPARE(store.row(theLock)->hold.sinceWall, WallTime(0ms));
        store.apply(held(50ms, alice, 2), touched(49ms));
        QCOMPARE(store.row(theLock)->hold.sinceWall, WallTime(0ms));
        QCOMPARE(store.row(theLock)->hold.since, at(0ms));
        store.apply(free(100ms), touched(99ms, 1));
        QCOMPARE(store.held(), 0);
        store.apply(held(200ms, bob), touched(199ms));
        QVERIFY(store.row(theLock)->hold.isBeginSeen());
        QCOMPARE(store.row(theLock)->hold.sinceWall, WallTime(200ms));
        QCOMPARE(store.row(theLock)->hold.since, at(200ms));
    }

    void afterAGapAHoldIsOnlyKnownSinceTheReadUnlessItsLeaseStillRuns() {
        LockStore store;
        BetweenReads gap;
        gap.gap = 500ms;
        store.apply(held(0ms, alice, 1, 30000ms), {});
        store.apply(held(1000ms, alice, 1, 29000ms), gap);
        QCOMPARE(store.row(theLock)->hold.sinceWall, WallTime(0ms));
        store.apply(held(2000ms, alice, 1, 30000ms), gap);
        QCOMPARE(store.row(theLock)->hold.sinceWall, WallTime(2000ms));
        QVERIFY(!store.row(theLock)->hold.isBeginSeen());
    }

    void aFairLockStaysFairWithoutItsQueue() {
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {}), {});
        QCOMPARE(store.row(theLock)->lock.kind, LockKind::Reentrant);
        store.apply(fairSnapshot(10ms, {exclusive(alice)}, {bob}), touched(9ms));
        QCOMPARE(store.row(theLock)->lock.kind, LockKind::Fair);
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(1));
        store.apply(fairSnapshot(20ms, {exclusive(bob)}, {}), touched(19ms, 1));
        QCOMPARE(store.row(theLock)->lock.kind, LockKind::Fair);
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(0));
        store.apply(free(30ms, LockKind::Unknown), touched(29ms));
        QCOMPARE(store.row(theLock)->lock.kind, LockKind::Fair);
        QCOMPARE(described(store.take().events), QByteArrayList({"found alice", "waiters", "handed_over bob", "waiters",
                                                                 "released bob without a message"}));
    }

    void learnsKinds_data() {
        QTest::addColumn<int>("known");
        QTest::addColumn<int>("read");
        QTest::addColumn<bool>("isHeld");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, LockKind known, LockKind seen, bool isHeld, LockKind expected) {
            QTest::newRow(name) << int(known) << int(seen) << isHeld << int(expected);
        };
        row("a fenced lock stays fenced", LockKind::Fenced, LockKind::Reentrant, true, LockKind::Fenced);
        row("an old token does not make a fair lock fenced", LockKind::Fair, LockKind::Fenced, true, LockKind::Fair);
        row("a plain lock turns out to be fenced", LockKind::Reentrant, LockKind::Fenced, true, LockKind::Fenced);
        row("the name of a read/write lock is used for a plain one", LockKind::ReadWrite, LockKind::Reentrant, true,
            LockKind::Reentrant);
        row("and the reverse", LockKind::Fair, LockKind::ReadWrite, true, LockKind::ReadWrite);
        row("free, with a queue", LockKind::Reentrant, LockKind::Fair, false, LockKind::Fair);
        row("free, with an old token", LockKind::ReadWrite, LockKind::Fenced, false, LockKind::ReadWrite);
        row("free, and nothing to see", LockKind::Fenced, LockKind::Unknown, false, LockKind::Fenced);
        row("not taken apart any more", LockKind::ReadWrite, LockKind::Unknown, true, LockKind::Unknown);
    }
    void learnsKinds() {
        QFETCH(const int, known);
        QFETCH(const int, read);
        QFETCH(const bool, isHeld);
        QFETCH(const int, expected);
        const QList<Holder> holders{exclusive(alice)};
        LockStore store;
        store.apply(test::snapshot(0ms, LockKind(known), holders, 30000ms), {});
        store.apply(test::snapshot(10ms, LockKind(read), isHeld ? holders : QList<Holder>(), 30000ms), touched(9ms));
        QCOMPARE(int(store.row(theLock)->lock.kind), expected);
    }

    void waitersComeFromTheServersListOfSubscribers() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        QVERIFY(!store.row(theLock)->lock.waiters);
        store.setWaiting({{theLock, {2}}}, at(10ms), WallTime(10ms));
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(2));
        store.setWaiting({{theLock, {2}}}, at(20ms), WallTime(20ms));
        store.apply(held(25ms, alice, 2), touched(24ms));
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(2));
        store.setWaiting({}, at(30ms), WallTime(30ms));
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(0));
        QCOMPARE(described(store.take().events),
                 QByteArrayList({"found alice", "waiters", "reentered alice", "waiters"}));
    }

    void theListOfOneShardSaysNothingOfTheLocksOfAnother() {
        LockStore store;
        store.apply(onNode(held(0ms, alice), firstShard), {});
        store.apply(onNode(named(held(0ms, bob), "M"), secondShard), {});
        store.setWaiting({{theLock, {2}}}, at(10ms), WallTime(10ms), firstShard);
        QVERIFY(!store.row(LockName("M"))->lock.waiters);
        store.setWaiting({}, at(20ms), WallTime(20ms), secondShard);
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(2));
        QCOMPARE(store.row(LockName("M"))->lock.waiters, std::optional(0));
    }

    void theWaitersOfALockThatMovesStayUntilTheNextCount() {
        LockStore store;
        store.apply(onNode(held(0ms, alice), firstShard), {});
        store.setWaiting({{theLock, {2}}}, at(10ms), WallTime(10ms), firstShard);
        store.setWaiting({}, at(10ms), WallTime(10ms), secondShard);
        (void)store.take();
        BetweenReads unwatched;
        unwatched.gap = 5ms;
        store.apply(onNode(held(20ms, alice, 1, 29980ms), secondShard), unwatched);
        QCOMPARE(described(store.take().events), QByteArrayList{"not_watched"});
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(2));
        store.setWaiting({}, at(30ms), WallTime(30ms), firstShard);
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(2));
        store.setWaiting({}, at(30ms), WallTime(30ms), secondShard);
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(0));
    }

    void nobodyWaitsIsKnownForEveryLockOnceTheServerHasSaidSo() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        store.setWaiting({}, at(10ms), WallTime(10ms));
        QCOMPARE(store.row(theLock)->lock.waiters, std::optional(0));
        store.apply(named(held(20ms, alice), "M"), {});
        QCOMPARE(store.row(LockName("M"))->lock.waiters, std::optional(0));
        QCOMPARE(described(store.take().events), QByteArrayList({"found alice", "found alice"}));
    }

    void aFreeLockIsForgottenAfterAWhile() {
        LockStore store(StoreLimits{.keepFree = 60s});
        store.apply(held(0ms, alice), {});
        QVERIFY(!store.nextForget());
        store.apply(free(1000ms), touched(999ms, 1));
        QCOMPARE(store.nextForget(), std::optional(at(61000ms)));
        (void)store.take();
        QVERIFY(store.forgetFree(at(60999ms)).isEmpty());
        QCOMPARE(store.forgetFree(at(61000ms)), QList<LockName>{theLock});
        QVERIFY(!store.knows(theLock));
        QCOMPARE(store.take().removed, std::vector<LockName>{theLock});
    }

    void aLockThatCannotBeReadAnyMoreIsForgottenWithoutAnEndOfItsHold() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        (void)store.take();
        store.loseSightOf(theLock, at(5000ms));
        QVERIFY(!store.knows(theLock));
        QCOMPARE(store.held(), 0);
        const MonitorBatch batch = store.take();
        QCOMPARE(batch.removed, std::vector<LockName>{theLock});
        QCOMPARE(batch.events.size(), size_t{1});
        QCOMPARE(batch.events.front().type, EventType::NotWatched);
        QCOMPARE(batch.events.front().lock.name, theLock);
        QCOMPARE(batch.events.front().gap, 5000ms);
        store.loseSightOf(theLock, at(6000ms));
        QVERIFY(!store.hasChanges());
    }

    void aLockThatWasTakenAgainIsNotForgotten() {
        LockStore store(StoreLimits{.keepFree = 60s});
        store.apply(free(0ms), {});
        store.apply(held(1000ms, alice), touched(999ms));
        QVERIFY(store.forgetFree(at(60000ms)).isEmpty());
        store.apply(free(70000ms), touched(69999ms, 1));
        QVERIFY(store.forgetFree(at(129999ms)).isEmpty());
        QCOMPARE(store.forgetFree(at(130000ms)).size(), 1);
    }

    void aFreeLockThatSomebodyWaitsForIsKept() {
        LockStore store(StoreLimits{.keepFree = 60s});
        store.setWaiting({{theLock, {1}}}, at(0ms), WallTime(0ms));
        store.apply(free(0ms), {});
        QVERIFY(store.forgetFree(at(60000ms)).isEmpty());
        store.setWaiting({}, at(100000ms), WallTime(100000ms));
        QCOMPARE(store.forgetFree(at(160000ms)), QList<LockName>{theLock});
    }

    void aFreeLockThatOnlyOtherMonitorsListenToIsForgotten() {
        LockStore store(StoreLimits{.keepFree = 60s});
        const Listeners monitors{2, {}, std::nullopt, 2};
        store.setWaiting({{theLock, monitors}}, at(0ms), WallTime(0ms));
        store.apply(free(0ms), {});
        QCOMPARE(store.row(theLock)->lock.monitorsAmongWaiters, 2);
        QCOMPARE(store.forgetFree(at(60000ms)), QList<LockName>{theLock});
    }

    void aMessageOfAnUnknownLockThatIsFreeAgainIsARelease() {
        LockStore store;
        BetweenReads received;
        received.messages = 1;
        store.apply(free(0ms), received);
        QCOMPARE(described(store.take().events), QByteArrayList{"released"});
        QVERIFY(store.knows(theLock));
    }

    void knownLocksAreBounded() {
        LockStore store(StoreLimits{.rows = 2});
        QCOMPARE(store.apply(named(held(0ms, alice), "a"), {}), Stored::Yes);
        QCOMPARE(store.apply(named(free(0ms), "b"), {}), Stored::Yes);
        QCOMPARE(store.apply(named(held(1ms, alice), "c"), {}), Stored::Yes);
        QVERIFY(!store.knows(LockName("b")));
        QCOMPARE(store.forgetFree(at(1ms)), QList<LockName>{LockName("b")});
        QCOMPARE(store.apply(named(held(2ms, alice), "d"), {}), Stored::NoRoom);
        QCOMPARE(store.known(), 2);
    }

    // The lock counts as one more for each thousand bytes of its name.
    void aLockWithALongNameTakesTheRoomOfSeveral() {
        const QByteArray longName(2000, 'x');
        LockStore store(StoreLimits{.rows = 4});
        for (const char* name : {"a", "b", "c"})
            store.apply(named(free(0ms), name), {});
        QCOMPARE(store.apply(named(held(1ms, alice), longName), {}), Stored::Yes);
        QCOMPARE(store.known(), 2);
        QVERIFY(store.knows(LockName("c")));
        QCOMPARE(store.apply(named(held(1ms, alice), QByteArray(4000, 'y')), {}), Stored::NoRoom);
        store.apply(named(free(2ms), longName), touched(2ms));
        (void)store.forgetFree(at(1h));
        QCOMPARE(store.known(), 0);
        QCOMPARE(store.apply(named(held(3ms, alice), QByteArray(3000, 'y')), {}), Stored::Yes);
    }

    void whatMadeRoomAndIsBackIsNotAnsweredAsForgotten() {
        LockStore store(StoreLimits{.rows = 2});
        store.apply(named(free(0ms), "a"), {});
        store.apply(named(free(1ms), "b"), {});
        store.apply(named(held(2ms, alice), "c"), {});  // a is removed to make room
        QCOMPARE(store.nextForget(), std::optional(SteadyTime::min()));
        store.apply(named(held(3ms, alice), "a"), {});  // b is removed to make room
        QCOMPARE(store.forgetFree(at(3ms)), QList<LockName>{LockName("b")});
        QVERIFY(store.knows(LockName("a")));
    }

    void aFreeFairLockIsForgottenOnceItsQueueIsEmpty() {
        LockStore store(StoreLimits{.keepFree = 60s});
        store.apply(fairSnapshot(0ms, {}, {bob}), {});
        QVERIFY(store.forgetFree(at(60000ms)).isEmpty());
        store.apply(free(70000ms), touched(69999ms));
        QCOMPARE(store.forgetFree(at(130000ms)), QList<LockName>{theLock});
    }

    void aHoldBetweenReadsFarApartBeganAtAnUnknownMoment_data() {
        QTest::addColumn<Milliseconds>("readAt");
        QTest::addColumn<BetweenReads>("between");
        QTest::addColumn<bool>("known");
        QTest::newRow("pushed") << Milliseconds(50s) << touched(50s - 1ms) << true;
        QTest::newRow("pushed, and read late") << Milliseconds(50s) << touched(20s) << false;
        QTest::newRow("polled soon") << Milliseconds(1s) << BetweenReads() << true;
        QTest::newRow("polled late") << Milliseconds(50s) << BetweenReads() << false;
    }
    void aHoldBetweenReadsFarApartBeganAtAnUnknownMoment() {
        QFETCH(Milliseconds, readAt);
        QFETCH(BetweenReads, between);
        QFETCH(bool, known);
        LockStore store;
        store.apply(free(0ms), {});
        store.apply(held(readAt, alice), between);
        QCOMPARE(store.row(theLock)->hold.isBeginSeen(), known);
    }

    void aDiagnosisIsReportedWhenItBeginsAndWhenItEnds() {
        LockStore store;
        store.apply(held(0ms, alice, 1, std::nullopt), {});
        QCOMPARE(store.faulty(), 0);
        QCOMPARE(store.nextRead(), std::optional(at(1000ms)));
        store.apply(held(1000ms, alice, 1, std::nullopt), BetweenReads());
        QCOMPARE(store.faulty(), 1);
        QCOMPARE(store.row(theLock)->diagnoses,
                 (QList<Diagnosis>{{Certainty::Certain, NeverExpires{alice, WallTime(0ms)}}}));
        MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList({"found alice", "diagnosis"}));
        QCOMPARE(batch.events[1].phase, DiagnosisPhase::Begun);
        QCOMPARE(batch.events[1].diagnosis->kind(), DiagnosisKind::NeverExpires);
        QCOMPARE(batch.changed.front()->diagnoses.size(), 1);

        store.apply(held(1005ms, alice, 2, std::nullopt), touched(1004ms));
        QCOMPARE(described(store.take().events), QByteArrayList{"reentered alice"});

        store.apply(free(1010ms), touched(1009ms, 1));
        QCOMPARE(store.faulty(), 0);
        batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList({"released alice", "diagnosis"}));
        QCOMPARE(batch.events[1].phase, DiagnosisPhase::Ended);
        QVERIFY(batch.changed.front()->diagnoses.isEmpty());
    }

    void whatIsInformationIsNoFault() {
        LockStore store;
        store.apply(free(0ms), {});
        store.apply(held(1000ms, alice), touched(999ms));
        store.apply(held(15000ms, alice, 1, 16s), BetweenReads());
        QCOMPARE(store.row(theLock)->diagnoses.size(), 1);
        QCOMPARE(store.row(theLock)->diagnoses.first().kind(), DiagnosisKind::FixedLease);
        QCOMPARE(store.faulty(), 0);
    }

    // At first its client is not known to have a watchdog, as for a monitor that has just begun.
    void whatItsClientRenewsElsewhereSaysWhetherALeaseIsFixed_data() {
        QTest::addColumn<HolderId>("renewing");
        QTest::addColumn<Milliseconds>("timeout");
        QTest::addColumn<Milliseconds>("delay");  // from the renewal to its read
        QTest::addColumn<DiagnosisKind>("found");
        QTest::newRow("the lease of its watchdog") << alice << Milliseconds(30s) << 1ms << DiagnosisKind::NeverRenewed;
        QTest::newRow("another lease") << alice << Milliseconds(60s) << 1ms << DiagnosisKind::FixedLease;
        QTest::newRow("another client") << bob << Milliseconds(30s) << 1ms << DiagnosisKind::FixedLease;
        QTest::newRow("read too late to know") << alice << Milliseconds(30s) << 251ms << DiagnosisKind::FixedLease;
    }
    void whatItsClientRenewsElsewhereSaysWhetherALeaseIsFixed() {
        QFETCH(const HolderId, renewing);
        QFETCH(const Milliseconds, timeout);
        QFETCH(const Milliseconds, delay);
        LockStore store;
        store.apply(free(0ms), {});
        store.apply(held(1000ms, alice), touched(999ms));
        store.apply(held(15000ms, alice, 1, 16s), BetweenReads());
        QCOMPARE(store.row(theLock)->diagnoses.value(0).kind(), DiagnosisKind::FixedLease);
        store.apply(named(held(15500ms, renewing, 1, timeout / 2), "other"), {});
        store.apply(named(held(16000ms, renewing, 1, timeout), "other"), touched(16000ms - delay));
        store.apply(named(held(16000ms + timeout / 3, renewing, 1, timeout), "other"),
                    touched(16000ms + timeout / 3 - delay));
        QTEST(store.row(theLock)->diagnoses.value(0).kind(), "found");
        QCOMPARE(store.row(theLock)->diagnoses.size(), 1);
    }

    void onlyWhoCameWhileItWasWatchedIsKnownToBeAwake_data() {
        QTest::addColumn<bool>("isCountedBefore");
        QTest::addColumn<DiagnosisKind>("found");
        QTest::newRow("a count found none before") << true << DiagnosisKind::ChannelLeftOver;
        QTest::newRow("nobody was counted before") << false << DiagnosisKind::WaitersAsleep;
    }
    void onlyWhoCameWhileItWasWatchedIsKnownToBeAwake() {
        QFETCH(const bool, isCountedBefore);
        LockStore store;
        store.apply(held(0ms, alice), {});
        if (isCountedBefore)
            store.setWaiting({}, at(500ms), WallTime(500ms));
        const WaitingCounts::Waiting two{{theLock, {2, {}}}};
        store.setWaiting(two, at(1000ms), WallTime(1000ms));
        store.apply(free(2000ms), touched(1999ms, 1));
        store.setWaiting(two, at(40000ms), WallTime(40000ms));
        store.apply(free(41000ms), BetweenReads());
        QTEST(store.row(theLock)->diagnoses.value(0).kind(), "found");
    }

    void saysWhenToReadAgainAndWhich() {
        LockStore store;
        store.apply(named(free(0ms), "a"), {});
        store.apply(named(free(0ms), "b"), {});
        QVERIFY(!store.nextRead());
        store.apply(named(held(1000ms, alice), "a"), touched(999ms));
        store.apply(named(held(2000ms, alice), "b"), touched(1999ms));
        QCOMPARE(store.nextRead(), std::optional(at(14001ms)));
        QCOMPARE(store.takeDueReads(at(14001ms)), QList<LockName>{LockName("a")});
        QCOMPARE(store.nextRead(), std::optional(at(15001ms)));
        store.apply(named(held(12000ms, alice), "b"), touched(11999ms));
        QCOMPARE(store.nextRead(), std::optional(at(25001ms)));
        store.apply(named(free(13000ms), "b"), touched(12999ms, 1));
        QVERIFY(!store.nextRead());
    }

    void whoListensIsPartOfADiagnosis() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        store.apply(free(1000ms), touched(999ms));
        store.setWaiting({{theLock, {2, {}}}}, at(2000ms), WallTime(2000ms));
        QCOMPARE(store.nextRead(), std::optional(at(6000ms)));
        store.apply(free(6000ms), BetweenReads());
        QCOMPARE(store.faulty(), 0);
        store.setWaiting({{theLock, {2, {}}}}, at(7000ms), WallTime(7000ms));
        QCOMPARE(store.row(theLock)->diagnoses.value(0).kind(), DiagnosisKind::WaitersAsleep);
        store.setWaiting({}, at(8000ms), WallTime(8000ms));
        QVERIFY(store.row(theLock)->diagnoses.isEmpty());
    }

    void aHeadIsDeadThatListensOnNoServer_data() {
        QTest::addColumn<Coverage>("coverage");
        QTest::addColumn<Certainty>("certainty");
        QTest::newRow("all were asked") << Coverage::AllServers << Certainty::Certain;
        QTest::newRow("there are replicas") << Coverage::SomeServers << Certainty::Likely;
    }
    void aHeadIsDeadThatListensOnNoServer() {
        QFETCH(const Coverage, coverage);
        QFETCH(const Certainty, certainty);
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob}), {});
        store.apply(fairSnapshot(1000ms, {}, {bob}), touched(999ms, 1));
        store.setWaiting({}, at(2000ms), WallTime(2000ms), {}, coverage);
        store.apply(fairSnapshot(6000ms, {}, {bob}), {});
        (void)store.take();
        store.setWaiting({}, at(12000ms), WallTime(12000ms), {}, coverage);
        QCOMPARE(store.take().events.size(), size_t{certainty == Certainty::Certain});
        const Diagnosis found = store.row(theLock)->diagnoses.value(0);
        QCOMPARE(found.kind(), DiagnosisKind::FairQueueBlocked);
        QCOMPARE(found.certainty, certainty);
    }

    // The waiter's lock is in no count: no other client is subscribed for it.
    void aDeadWaiterOfAHeldLockIsShown_data() {
        QTest::addColumn<Coverage>("coverage");
        QTest::addColumn<qsizetype>("shown");
        QTest::newRow("all were asked") << Coverage::AllServers << qsizetype{1};
        QTest::newRow("there are replicas") << Coverage::SomeServers << qsizetype{0};
    }
    void aDeadWaiterOfAHeldLockIsShown() {
        QFETCH(const Coverage, coverage);
        QFETCH(const qsizetype, shown);
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob}), {});
        store.setWaiting({}, at(1000ms), WallTime(1000ms), {}, coverage);
        store.setWaiting({}, at(6000ms), WallTime(6000ms), {}, coverage);
        QVERIFY(store.row(theLock)->deadWaiters().isEmpty());
        (void)store.take();
        store.setWaiting({}, at(11000ms), WallTime(11000ms), {}, coverage);
        QCOMPARE(store.take().changed.size(), size_t(shown));
        QCOMPARE(store.row(theLock)->deadWaiters().size(), shown);
        // The waiter is subscribed again.
        store.setWaiting({{theLock, {1, {bob}}}}, at(12000ms), WallTime(12000ms), {}, coverage);
        QVERIFY(store.row(theLock)->deadWaiters().isEmpty());
    }

    // Before that, the waiter was not found subscribed: it was at a replica, or the count was too early.
    void theProofBeginsAgainAfterASubscription() {
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob, carol}), {});
        for (const Milliseconds time : {1000ms, 6000ms, 11000ms})
            store.setWaiting({{theLock, {1, {bob}}}}, at(time), WallTime(time), {}, Coverage::AllServers);
        QVERIFY(!store.provesDead(theLock, bob));
        QVERIFY(store.provesDead(theLock, carol));
        store.setWaiting({{theLock, {2, {bob, carol}}}}, at(12000ms), WallTime(12000ms), {}, Coverage::AllServers);
        QVERIFY(!store.provesDead(theLock, carol));
        store.setWaiting({{theLock, {1, {bob}}}}, at(13000ms), WallTime(13000ms), {}, Coverage::AllServers);
        QVERIFY(!store.provesDead(theLock, carol));
    }

    void aServerThatHasNotAnsweredBeginsTheProofAgain() {
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob}), {});
        store.setWaiting({}, at(1000ms), WallTime(1000ms), {}, Coverage::AllServers);
        store.setWaiting({}, at(6000ms), WallTime(6000ms), {}, Coverage::SomeServers);
        store.setWaiting({}, at(7000ms), WallTime(7000ms), {}, Coverage::AllServers);
        store.setWaiting({}, at(12000ms), WallTime(12000ms), {}, Coverage::AllServers);
        QVERIFY(!store.provesDead(theLock, bob));
        store.setWaiting({}, at(17000ms), WallTime(17000ms), {}, Coverage::AllServers);
        QVERIFY(store.provesDead(theLock, bob));
    }

    // The count of the masters does not name a waiter that comes back at a replica.
    void aQueueOfDeadWaitersIsStillCounted() {
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob}), {});
        for (const Milliseconds time : {1000ms, 11000ms})
            store.setWaiting({}, at(time), WallTime(time), {}, Coverage::AllServers);
        QVERIFY(store.provesDead(theLock, bob));
        store.setWaiting({}, at(12000ms), WallTime(12000ms), {}, Coverage::SomeServers);
        QVERIFY(!store.provesDead(theLock, bob));
    }

    // The replicas are asked only for such a waiter, not for each one that has just joined.
    void aWaiterIsUnheardIfACountThatBeganLaterHasNotFoundIt() {
        LockStore store;
        store.apply(fairSnapshot(5000ms, {exclusive(alice)}, {bob}), {});
        store.setWaiting({}, at(4000ms), WallTime(4000ms));
        QVERIFY(store.unheardWaiters().isEmpty());
        store.setWaiting({{theLock, {1, {bob}}}}, at(6000ms), WallTime(6000ms));
        QVERIFY(store.unheardWaiters().isEmpty());
        for (const Milliseconds time : {7000ms, 8000ms})
            store.setWaiting({}, at(time), WallTime(time));
        QCOMPARE(store.unheardWaiters(), (QHash<HolderId, LockName>{{bob, theLock}}));
        store.setWaiting({}, at(20000ms), WallTime(20000ms), {}, Coverage::AllServers);
        QCOMPARE(store.unheardWaiters(), (QHash<HolderId, LockName>{{bob, theLock}}));
        store.apply(fairSnapshot(21000ms, {exclusive(alice)}, {carol}), touched(20999ms));
        QVERIFY(store.unheardWaiters().isEmpty());
        store.setWaiting({}, at(22000ms), WallTime(22000ms));
        store.setWaiting({}, at(23000ms), WallTime(23000ms));
        QCOMPARE(store.unheardWaiters(), (QHash<HolderId, LockName>{{carol, theLock}}));
        store.loseSightOf(theLock, at(24000ms));
        QVERIFY(store.unheardWaiters().isEmpty());
    }

    // Clients before Redisson 3.52 with a NameMapper: the lock is `app:L`, and their queue is that of `L`. carol's
    // client is a newer one.
    void aQueueUnderTheUnmappedNameIsShownWithItsLock() {
        const LockName mapped("app:L");
        LockStore store;
        store.apply(named(fairSnapshot(0ms, {exclusive(alice)}, {carol}), mapped.bytes()), {});
        store.apply(fairSnapshot(0ms, {}, {bob}), {});
        const QHash<LockName, Listeners> waiting{{mapped, {2, {bob, carol}}}};
        (void)store.take();
        store.setWaiting(waiting, at(1000ms), WallTime(1000ms), {}, Coverage::AllServers);
        QCOMPARE(store.take().changed.size(), size_t{2});
        QCOMPARE(store.row(mapped)->queueFacts->unmapped->name, theLock);
        QCOMPARE(store.row(mapped)->queueFacts->unmapped->waiters.value(0).id, bob);
        QCOMPARE(store.row(mapped)->lock.fairQueue.value(0).id, carol);
        QCOMPARE(*store.row(theLock)->queueFacts->queueOf, mapped);
        // Neither is bob a stray, nor does he block a free lock.
        store.apply(fairSnapshot(8000ms, {}, {bob}), {});
        store.setWaiting(waiting, at(15000ms), WallTime(15000ms), {}, Coverage::AllServers);
        store.apply(named(fairSnapshot(16000ms, {exclusive(alice)}, {carol}), mapped.bytes()), {});
        QCOMPARE(store.faulty(), 0);
        // He dies, which has no effect while the lock is held.
        store.setWaiting({{mapped, {1, {carol}}}}, at(20000ms), WallTime(20000ms), {}, Coverage::AllServers);
        store.setWaiting({{mapped, {1, {carol}}}}, at(40000ms), WallTime(40000ms), {}, Coverage::AllServers);
        QCOMPARE(store.faulty(), 0);
        QVERIFY(store.row(theLock)->deadWaiters().isEmpty());
        // The queue changes, and the lock is shown with it.
        (void)store.take();
        store.apply(fairSnapshot(41000ms, {}, {bob, alice}), touched(40999ms));
        QCOMPARE(store.take().changed.size(), size_t{2});
        QCOMPARE(store.row(mapped)->queueFacts->unmapped->waiters.size(), 2);
        store.apply(fairSnapshot(42000ms, {}, {}), touched(41999ms));
        QVERIFY(!store.row(mapped)->queueFacts);
    }

    // The lock has no subscriber, so no count contains it; it must still be read.
    void aBlockedQueueIsSeenAgainAfterTheNextCount() {
        LockStore store;
        store.apply(fairSnapshot(0ms, {exclusive(alice)}, {bob}), {});
        store.apply(fairSnapshot(1000ms, {}, {bob}), touched(999ms, 1));
        store.apply(fairSnapshot(6000ms, {}, {bob}), BetweenReads());
        QCOMPARE(store.row(theLock)->diagnoses.value(0).certainty, Certainty::Suspected);
        store.setWaiting({}, at(7000ms), WallTime(7000ms));
        QCOMPARE(store.row(theLock)->diagnoses.value(0).certainty, Certainty::Likely);
    }

    void whatIsForgottenHasNoDiagnosisAnyMore() {
        LockStore store(StoreLimits{.keepFree = 60s});
        store.apply(free(0ms), {});
        store.apply(held(1000ms, alice, 1, 10s), touched(999ms));
        store.apply(free(11005ms), touched(11004ms));
        QCOMPARE(store.faulty(), 1);
        (void)store.take();
        QCOMPARE(store.forgetFree(at(80000ms)).size(), 1);
        QCOMPARE(store.faulty(), 0);
        QVERIFY(!store.nextRead());
        const MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList{"diagnosis"});
        QCOMPARE(batch.events.front().phase, DiagnosisPhase::Ended);
        QCOMPARE(batch.events.front().at, WallTime(80000ms));
        QVERIFY(batch.changed.empty());
    }

    void theThroughputOfABusyLockIsReportedAndRemoved() {
        LockStore store;
        store.apply(free(0ms), {});
        int told = 0;
        for (Milliseconds now = 100ms; now <= 2s; now += 100ms) {
            (void)store.take();
            store.apply(held(now - 20ms, alice), touched(now - 21ms));
            BetweenReads released = touched(now - 1ms, 50);
            released.firstMessageAt = at(now - 1ms);
            store.apply(free(now), released);
            for (const LockEvent& event : store.take().events)
                told += event.throughput ? 1 : 0;
        }
        QVERIFY2(told == 2 || told == 3, qPrintable(QString::number(told)));  // twice a second, from 1 s on
        const LockRow row = *store.row(theLock);
        QVERIFY(row.throughput);
        QVERIFY(row.throughput->perSecond(row.throughput->releases) > 400);
        QCOMPARE(store.nextCooling(), std::optional(at(10100ms)));
        store.coolDown(at(11s));
        QVERIFY(!store.hasChanges());
        QCOMPARE(store.nextCooling(), std::optional(at(12s)));
        store.coolDown(at(12s));
        QCOMPARE(store.take().changed.size(), size_t{1});
        QVERIFY(!store.row(theLock)->throughput);
        QVERIFY(!store.nextCooling());
    }

    void anIdleLockIsNotMeasured() {
        LockStore store;
        store.apply(held(0ms, alice), {});
        for (Milliseconds now = 10s; now <= 60s; now += 10s)
            store.apply(held(now, alice), touched(now - 1ms));
        store.apply(free(65s), touched(65s - 1ms, 1));
        QVERIFY(!store.nextCooling());
    }

    void aReadersOwnRenewalIsAChange() {
        LockStore store;
        const auto shared = [](Milliseconds now, Milliseconds bobsRest) {
            LockSnapshot lock = readWrite(now, {reader(alice), reader(bob)}, 30s - now);
            auto parts = std::make_shared<LockParts>();
            const SteadyTime end = lock.seenAt + bobsRest;
            parts->readLeases = {{bob, 1, Expiry{end - 1ms, end + 1ms}}};
            lock.parts = parts;
            return lock;
        };
        store.apply(shared(0s, 20s), {});
        (void)store.take();
        store.apply(shared(1s, 19s), BetweenReads());
        QVERIFY(!store.hasChanges());
        store.apply(shared(2s, 20s), touched(2s - 1ms));
        QCOMPARE(store.take().changed.size(), size_t{1});
    }

    void undeliveredEventsAreBoundedAndTheLossIsCounted() {
        LockStore store(StoreLimits{.undelivered = 3});
        for (int i = 0; i < 5; ++i)
            store.apply(named(held(Milliseconds(i), i < 2 ? alice : bob), "L" + QByteArray::number(i)), {});
        QCOMPARE(store.eventsDropped(), quint64{2});
        const MonitorBatch batch = store.take();
        QCOMPARE(described(batch.events), QByteArrayList({"found bob", "found bob", "found bob"}));
        QCOMPARE(batch.changed.size(), size_t{5});
    }

    void undeliveredEventsOfLongNamesAreFewer() {
        LockStore store(StoreLimits{.undelivered = 3});
        store.apply(named(held(0ms, alice), "L"), {});
        store.apply(named(held(1ms, bob), QByteArray(2000, 'x')), {});
        QCOMPARE(store.eventsDropped(), quint64{1});
        QCOMPARE(described(store.take().events), QByteArrayList{"found bob"});
    }
};

LOCKKEEPER_TEST(TestLockStore, Guiless)

}  // namespace tst_lockstore

#include "tst_lockstore.moc"
