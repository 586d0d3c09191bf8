// SPDX-License-Identifier: Apache-2.0
#include "support/lockstory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_diagnose {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

using Diagnoses = QList<Diagnosis>;

// Times count from the beginning of the test. A lease of 30 s is overdue 13 s after a renewal.

LockSnapshot endless(Milliseconds at, LockKind kind = LockKind::Reentrant) {
    return snapshot(at, kind, {exclusive(alice)}, std::nullopt);
}

LockSnapshot fair(Milliseconds at, const QList<Holder>& holders, const QList<HolderId>& queue, int waiters = 0) {
    LockSnapshot lock =
        snapshot(at, LockKind::Fair, holders, holders.isEmpty() ? std::nullopt : std::optional(30000ms));
    for (const HolderId& id : queue)
        lock.fairQueue.append(FairWaiter{id, WallTime(5min)});
    lock.waiters = std::max(waiters, static_cast<int>(queue.size()));
    return lock;
}

LockSnapshot fencedAndFree(Milliseconds at) {
    LockSnapshot lock = free(at, LockKind::Fenced);
    lock.token = 7;
    return lock;
}

LockSnapshot fenced(Milliseconds at, const HolderId& id, Milliseconds ttl = 30s) {
    LockSnapshot lock = snapshot(at, LockKind::Fenced, {exclusive(id)}, ttl);
    lock.token = 8;
    return lock;
}

// Taken at 1 s, and renewed to 30 s this many times, every 10 s: at 11 s, 21 s ...
LockStory renewed(int renewals) {
    LockStory story(free(0s));
    story.changed(held(1s, alice));
    for (int i = 1; i <= renewals; ++i)
        story.changed(held(1s + i * 10s, alice));
    return story;
}

// Taken for a minute at 1 s; at 11 s cut to this, and renewed to this many times, every 10 s.
LockStory cutAndRenewed(Milliseconds to, int renewals, Milliseconds renewedTo = 30s) {
    LockStory story(free(0s));
    story.changed(held(1s, alice, 1, 60s)).changed(held(11s, alice, 1, to));
    for (int i = 1; i <= renewals; ++i)
        story.changed(held(11s + std::min<Milliseconds>(10s, to) * i, alice, 1, renewedTo));
    return story;
}

// The queue of a lock that is held, whose head has no deadline; as both at once were read.
LockSnapshot withoutDeadline(Milliseconds at, const QList<Holder>& holders = {exclusive(alice)},
                             const QList<HolderId>& queue = {bob, carol}) {
    LockSnapshot lock = fair(at, holders, queue);
    lock.fairQueue.first().deadline.reset();
    lock.fairQueue.first().hasNoDeadline = true;
    return lock;
}

LockSnapshot waited(LockSnapshot lock, int clients) {
    lock.waiters = clients;
    return lock;
}

// This many holds of 100 ms each, released with a message; then one from 100 s on, renewed every 10 s until the last
// read.
LockStory longAfterShort(int shortHolds, Milliseconds lastRead, const LockSnapshot& last) {
    LockStory story(free(0s));
    for (int i = 1; i <= shortHolds; ++i)
        story.changed(held(i * 1s, alice)).changed(free(i * 1s + 100ms), 1);
    story.changed(held(100s, bob));
    for (Milliseconds at = 110s; at < lastRead; at += 10s)
        story.changed(held(at, bob));
    return story.again(last);
}

LockStory climbing(qint64 from, qint64 to) {
    LockStory story(free(0s));
    story.changed(held(1s, alice, from));
    for (qint64 count = from + 1; count <= to; ++count)
        story.changed(held(1s + Milliseconds(count), alice, count));
    return story;
}

// Held by alice, then free since 10 s, with bob and carol in the queue; the deadline of the head is at 5 min.
LockStory freeWithQueue(int messages = 1) {
    LockStory story(fair(0s, {exclusive(alice)}, {bob, carol}));
    return story.changed(fair(10s, {}, {bob, carol}), messages);
}

const QueueListening notAllWereAsked;
const QueueListening bobListens{true, {}, Coverage::AllServers};
const QueueListening bobIsSilent{false, {bob}, Coverage::AllServers};
const QueueListening carolIsSilent{false, {carol}, Coverage::AllServers};

// bob is the head of the queue above. Everywhere that was asked, he was not subscribed at 12 s and at this moment.
LockStory bobIsDeafUntil(Milliseconds lastCount, const QList<HolderId>& listening,
                         const QueueListening& queue = bobIsSilent) {
    const Listeners listeners{static_cast<int>(listening.size()), listening};
    return freeWithQueue()
        .counted(12s, listeners, queue)
        .again(fair(15s, {}, {bob, carol}))
        .counted(lastCount, listeners, queue);
}

// Held from 1 s on with a lease of 30 s, and free since 10 s.
LockStory freed(int messages) {
    LockStory story(free(0s));
    return story.changed(held(1s, alice)).changed(free(10s), messages);
}

// Taken for the first time, and then two clients come that wait for it.
LockStory waitedFor(const LockSnapshot& first) {
    return LockStory(free(0s)).countedNone(500ms).changed(first).counted(2s, {2, {}});
}

// Held by these readers, each with these timeout keys, numbered from 1; all keys that were asked for were read.
LockSnapshot shared(Milliseconds at, const QList<Holder>& holders, const QList<std::pair<HolderId, int>>& keys) {
    LockSnapshot lock = readWrite(at, holders, holders.isEmpty() ? std::nullopt : std::optional(30000ms));
    auto parts = std::make_shared<LockParts>();
    parts->areLeasesWhole = true;
    for (const auto& [reader, number] : keys) {
        for (int hold = 1; hold <= number; ++hold)
            parts->readLeases += ReadLease{reader, hold, lock.expiry};
    }
    lock.parts = parts;
    return lock;
}

// As shared(), but with another TTL of the lock, as after a renewal by a reader with a shorter timeout.
LockSnapshot renewedTo(Milliseconds ttl, LockSnapshot lock) {
    lock.ttl = ttl;
    lock.expiry = Expiry{lock.seenAt - 1ms + ttl, lock.seenAt + ttl + 1ms};
    return lock;
}

// bob reads with a lease of 30 s, and alice renews to this.
LockSnapshot cutTo(Milliseconds ttl, Milliseconds at = 0s) {
    LockSnapshot lock = renewedTo(ttl, shared(at, {reader(alice), reader(bob)}, {{alice, 1}, {bob, 1}}));
    auto parts = std::make_shared<LockParts>(*lock.parts);
    parts->readLeases.first().expiry = lock.expiry;
    lock.parts = parts;
    return lock;
}

// Both read; bob's lease has expired at 10 s, alice continues.
LockStory bobRanOut() {
    LockStory story(shared(0s, {reader(alice), reader(bob)}, {{alice, 1}, {bob, 1}}));
    return story.changed(shared(10s, {reader(alice), reader(bob)}, {{alice, 1}}));
}

LockSnapshot notWhole(LockSnapshot lock) {
    auto parts = std::make_shared<LockParts>(*lock.parts);
    parts->areLeasesWhole = false;
    lock.parts = parts;
    return lock;
}

BetweenReads deafPoll() {
    BetweenReads between;
    between.reception = Reception::Incomplete;
    return between;
}

LockSnapshot onNode(quint32 shard, LockSnapshot lock) {
    const QString address = QStringLiteral("node%1:6379").arg(shard);
    lock.node = NodePointer(new Node(topology::ShardId(shard), address));
    return lock;
}

const Listeners oneSharded{1, {}, 1};
const Listeners twoSharded{2, {}, 2};

// Held by alice for 60 s, while this many wait on the sharded channel; at 3 s its slot has moved to another node.
LockStory movedWhile(const Listeners& waiting) {
    return LockStory(onNode(0, held(0s, alice, 1, 60s))).counted(1s, waiting).gap(onNode(1, held(3s, alice, 1, 57s)));
}

LockStory deafAfterMove() {
    return movedWhile(oneSharded).counted(13s, {}).again(onNode(1, held(13s, alice, 1, 47s)));
}

// bob acquires it, releases it when no replica has answered for a second, and tries again, this many times.
LockStory takenBack(int times, Milliseconds heldFor = 1060ms, int replicas = 0) {
    LockStory story(free(0s));
    story.changed(held(1s, bob)).replicas(replicas, 1);
    for (int i = 0; i < times; ++i)
        story.changed(free(1s + i * 2500ms + heldFor), 1).changed(held(1s + (i + 1) * 2500ms, bob));
    return story;
}

LockStory expiredAfter(LockStory story, Milliseconds end) {
    return story.changed(free(end));
}

}  // namespace

// What can be concluded from reads and, as important, what cannot.
class TestDiagnose : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A waiter of a fair lock sleeps until its turn must have come.
    void waitersOfAFairLockAreLeftOverAfterTheFairWait() {
        const auto kindWith = [](Milliseconds fairWait) {
            const Findings findings = LockStory(fair(0s, {}, {}))
                                          .changed(fair(1s, {exclusive(alice)}, {}))
                                          .countedNone(2s)
                                          .counted(4s, {2, {}})
                                          .changed(fair(10s, {}, {}), 1)
                                          .counted(100s, {2, {}})
                                          .again(fair(100s, {}, {}))
                                          .configured({0ms, fairWait})
                                          .findings();
            return findings.diagnoses.isEmpty() ? std::nullopt : std::optional(findings.diagnoses.first().kind());
        };
        QVERIFY(kindWith(ClientTimeouts().fairWait) == DiagnosisKind::WaitersAsleep);
        QVERIFY(kindWith(20s) == DiagnosisKind::ChannelLeftOver);
    }

    void findsWithItsEvidence_data();
    void findsWithItsEvidence();
    void findsNothingInNearMisses_data();
    void findsNothingInNearMisses();
    void readsAgainWhenTimeAloneWouldProveIt_data();
    void readsAgainWhenTimeAloneWouldProveIt();
    void everyFindingEndsWithItsEvidence_data();
    void everyFindingEndsWithItsEvidence();
    void nothingIsGuessedAboutTheConsolesOwnLeases();
    void theGravestComesFirst();
    void aBlockedQueueAwaitsTheNextCount();
    void twoCountsProveAWaiterDead_data();
    void twoCountsProveAWaiterDead();
    void behindADeadHeadAWaiterThatListensIsAStorm_data();
    void behindADeadHeadAWaiterThatListensIsAStorm();
};

void TestDiagnose::findsWithItsEvidence_data() {
    QTest::addColumn<LockStory>("story");
    QTest::addColumn<Diagnoses>("found");
    const auto row = [](const char* name, const LockStory& story, Certainty certainty, const Evidence& evidence) {
        QTest::newRow(name) << story << Diagnoses{{certainty, evidence}};
    };

    row("never expires: for a second", LockStory(endless(2s)).again(endless(3s)), Certainty::Certain,
        NeverExpires{alice, WallTime(2s)});
    row("never expires: two readers without an end",
        LockStory(readWrite(2s, {reader(alice), reader(bob)}, std::nullopt))
            .again(readWrite(3s, {reader(alice), reader(bob)}, std::nullopt)),
        Certainty::Certain, NeverExpires{alice, WallTime(2s)});
    row("never expires: another reader without an end came a moment ago",
        LockStory(readWrite(2s, {reader(alice)}, std::nullopt))
            .changed(readWrite(4s, {reader(alice), reader(bob)}, std::nullopt)),
        Certainty::Certain, NeverExpires{alice, WallTime(2s)});
    row("never expires: the connection was lost since, and the hold is the one that is shown",
        LockStory(endless(2s)).again(endless(3s)).gap(endless(200s)), Certainty::Certain,
        NeverExpires{alice, WallTime(2s)});
    row("never expires: also before the connection was lost", LockStory(endless(2s)).gap(endless(4s)),
        Certainty::Certain, NeverExpires{alice, WallTime(2s)});

    row("watchdog stopped: renewed twice, and then overdue", renewed(2).again(held(34s + 1ms, alice, 1, 17s - 1ms)),
        Certainty::Likely, WatchdogStopped{alice, 2, WallTime(21s), 30s, WallTime(51s - 1ms)});
    row("watchdog stopped: one renewal may have been made by hand",
        renewed(1).again(held(24s + 1ms, alice, 1, 17s - 1ms)), Certainty::Suspected,
        WatchdogStopped{alice, 1, WallTime(11s), 30s, WallTime(41s - 1ms)});
    row("watchdog stopped: reentered since the last renewal",
        renewed(2).changed(held(26s, alice, 2)).again(held(39s, alice, 2, 17s - 1ms)), Certainty::Likely,
        WatchdogStopped{alice, 2, WallTime(21s), 30s, WallTime(56s - 1ms)});
    row("watchdog stopped: of a single reader",
        LockStory(readWrite(0s, {reader(alice)}, 25s))
            .changed(readWrite(5s, {reader(alice)}))
            .changed(readWrite(15s, {reader(alice)}))
            .again(readWrite(29s, {reader(alice)}, 16s)),
        Certainty::Likely, WatchdogStopped{alice, 2, WallTime(15s), 30s, WallTime(45s - 1ms)});
    row("watchdog stopped: a quick reentry lifted the TTL once more",  // no read saw that state
        renewed(2).changed(held(22s, alice)).again(held(36s, alice, 1, 16s)), Certainty::Likely,
        WatchdogStopped{alice, 3, WallTime(22s), 30s, WallTime(52s - 1ms)});

    row("fixed lease: taken, and never renewed",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)), Certainty::Likely,
        FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});

    row("never renewed: its client renews other locks with this lease",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).renews(alice, 30s),
        Certainty::Suspected, NeverRenewed{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("never renewed: the user has said what the clients' watchdogs set",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).configured({30s}),
        Certainty::Suspected, NeverRenewed{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("fixed lease: another one than the user has said that watchdogs set",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).configured({20s}),
        Certainty::Likely, FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("never renewed: earlier holds of this lock were renewed",
        renewed(2)
            .changed(free(22s), 1)
            .changed(held(31s, bob))
            .again(held(44s + 2ms, bob, 1, 17s - 2ms))
            .renews(bob, 30s),
        Certainty::Likely, NeverRenewed{bob, 30s, WallTime(31s), WallTime(61s - 1ms)});
    row("never renewed: a name that was not known before",
        LockStory(held(1s, alice, 1, 30s - 5ms)).again(held(14s + 2ms, alice, 1, 17s - 7ms)).renews(alice, 30s),
        Certainty::Suspected, NeverRenewed{alice, 30s - 5ms, WallTime(1s), WallTime(31s - 6ms), false});
    row("never renewed: a fenced lock, and the replica does not answer",
        LockStory(fenced(1s, alice)).again(fenced(14s + 2ms, alice, 17s - 2ms)).replicas(1, 1).silentReplicas(1),
        Certainty::Suspected, NeverRenewed{alice, 30s, WallTime(1s), WallTime(31s - 1ms), false, true});
    row("fixed lease: its client renews other locks with another lease",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).renews(alice, 60s),
        Certainty::Likely, FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("fixed lease: longer than what its client renews to",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).renews(alice, 29s),
        Certainty::Likely, FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("fixed lease: another client renews with this lease",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms)).renews(bob, 30s),
        Certainty::Likely, FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});
    row("fixed lease: a fenced lock, and all replicas answer",
        LockStory(fencedAndFree(0s))
            .changed(fenced(1s, alice))
            .again(fenced(14s + 2ms, alice, 17s - 2ms))
            .replicas(1, 1),
        Certainty::Likely, FixedLease{alice, 30s, WallTime(1s), WallTime(31s - 1ms)});

    row("lease ran out: the first time of this name it may be meant to",
        expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)), 11s + 5ms), Certainty::Suspected,
        LeaseRanOut{alice, 10s, WallTime(1s), WallTime(11s + 5ms)});
    row("lease ran out: others have released it before",
        expiredAfter(freed(1).changed(held(20s, bob, 1, 10s)), 30s + 5ms), Certainty::Likely,
        LeaseRanOut{bob, 10s, WallTime(20s), WallTime(30s + 5ms)});
    row("lease ran out: and another took the lock at once",
        LockStory(free(0s)).changed(held(1s, alice, 1, 10s)).changed(held(11s + 5ms, bob)), Certainty::Suspected,
        LeaseRanOut{alice, 10s, WallTime(1s), WallTime(11s + 5ms)});

    row("orphan: renewed for a minute where 100 ms are usual", longAfterShort(5, 160s, held(160s, bob, 1, 20s)),
        Certainty::Suspected, SuspectedOrphan{bob, WallTime(100s), 5, 100ms, 5});

    row("lease cut: and renewed to the shorter one", cutAndRenewed(30s, 1), Certainty::Suspected,
        LeaseCut{alice, 60s, 30s, WallTime(11s), 1, WallTime(21s)});
    row("lease cut: renewed once more", cutAndRenewed(30s, 2), Certainty::Likely,
        LeaseCut{alice, 60s, 30s, WallTime(11s), 2, WallTime(31s)});
    row("lease cut: by a lock() without a lease inside",
        LockStory(free(0s))
            .changed(held(1s, alice, 1, 60s))
            .changed(held(11s, alice, 2))
            .changed(held(21s, alice, 2))
            .changed(held(31s, alice, 2)),
        Certainty::Likely, LeaseCut{alice, 60s, 30s, WallTime(11s), 2, WallTime(31s)});
    row("lease cut: of a single reader",
        LockStory(readWrite(0s, {reader(alice)}, 60s))
            .changed(readWrite(5s, {reader(alice)}))
            .changed(readWrite(15s, {reader(alice)}))
            .changed(readWrite(25s, {reader(alice)})),
        Certainty::Likely, LeaseCut{alice, 60s, 30s, WallTime(5s), 2, WallTime(25s)});

    row("reentry leak: ten deep, and not one step down", climbing(1, 10), Certainty::Suspected,
        ReentryLeak{alice, 10, 9, WallTime(1s)});
    row("reentry leak: a hundred deep", climbing(97, 100), Certainty::Likely, ReentryLeak{alice, 100, 3, WallTime(1s)});

    row("blocked queue: the head does not listen",
        freeWithQueue().counted(12s, {1, {carol}}).again(fair(15s, {}, {bob, carol})), Certainty::Likely,
        FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: for ten seconds the head listened nowhere", bobIsDeafUntil(22s, {}), Certainty::Certain,
        FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: one count is no proof", bobIsDeafUntil(22s - 1ms, {}), Certainty::Likely,
        FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: not every server was asked in between",
        bobIsDeafUntil(20s, {}).counted(21s, {}, notAllWereAsked).counted(30s, {}, bobIsSilent), Certainty::Likely,
        FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: the head has listened in between",
        bobIsDeafUntil(20s, {}).counted(21s, {}, bobListens).counted(30s, {}, bobIsSilent), Certainty::Likely,
        FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: another head since",
        bobIsDeafUntil(20s, {})
            .again(fair(21s, {}, {carol}))
            .counted(22s, {}, carolIsSilent)
            .again(fair(26s, {}, {carol})),
        Certainty::Likely, FairQueueBlocked{carol, WallTime(5min), WallTime(10s), 1});
    row("blocked queue: dead, and the server has little to do", bobIsDeafUntil(22s, {carol}).commandsPerSecond(999),
        Certainty::Certain, FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});
    row("blocked queue: who listens is not known", freeWithQueue().again(fair(15s, {}, {bob, carol})),
        Certainty::Suspected, FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2});

    row("head without a deadline: while the lock is held", LockStory(withoutDeadline(0s)).again(withoutDeadline(5s)),
        Certainty::Certain, HeadWithoutDeadline{bob, WallTime(0s), 2});
    row("head without a deadline: its deadline was removed at 3 s",
        LockStory(fair(0s, {exclusive(alice)}, {bob, carol})).changed(withoutDeadline(3s)).again(withoutDeadline(8s)),
        Certainty::Certain, HeadWithoutDeadline{bob, WallTime(3s), 2});

    row("asleep: nobody was woken when it was deleted", freed(0).counted(16s, {2, {}}).again(free(16s)),
        Certainty::Likely, WaitersAsleep{2, WallTime(10s)});
    row("asleep: in spite of the message", freed(1).counted(16s, {2, {}}).again(free(16s)), Certainty::Suspected,
        WaitersAsleep{2, WallTime(10s)});
    row("asleep: the head of a fair queue listens",
        freeWithQueue(0).counted(16s, {1, {bob}}).again(fair(16s, {}, {bob, carol}, 2)), Certainty::Likely,
        WaitersAsleep{1, WallTime(10s)});

    row("asleep: nobody was counted since they must have woken",
        waitedFor(held(1s, alice)).changed(free(10s), 1).counted(16s, {2, {}}).again(free(46s)), Certainty::Suspected,
        WaitersAsleep{2, WallTime(10s), true, WallTime(31s + 1ms)});

    row("left-over channel: longer than the lease in the answers to waiters",
        waitedFor(held(1s, alice)).changed(free(10s), 1).counted(46s, {2, {}}).again(free(46s)), Certainty::Likely,
        ChannelLeftOver{2, WallTime(10s), 21s + 1ms});
    row("left-over channel: renewed while they waited",
        waitedFor(held(1s, alice))
            .changed(held(11s, alice))
            .changed(free(12s), 1)
            .counted(47s, {2, {}})
            .again(free(47s)),
        Certainty::Likely, ChannelLeftOver{2, WallTime(12s), 29s + 1ms});
    row("left-over channel: it had no end before they came",
        LockStory(free(0s))
            .changed(endless(1s))
            .changed(held(2s, alice))
            .countedNone(3s)
            .counted(4s, {2, {}})
            .changed(free(10s), 1)
            .counted(46s, {2, {}})
            .again(free(46s)),
        Certainty::Likely, ChannelLeftOver{2, WallTime(10s), 22s + 1ms});
    row("asleep: the lock had no end while they waited, and was then given one",
        waitedFor(endless(1s))
            .changed(held(5s, alice, 1, 2s))
            .changed(free(7s + 5ms))
            .counted(20min, {2, {}})
            .again(free(20min)),
        Certainty::Likely, WaitersAsleep{2, WallTime(7s + 5ms), true, std::nullopt, true});
    row("asleep: the lock had no end while they waited, was deleted, and taken for a short time",
        waitedFor(endless(1s))
            .changed(free(4s))
            .changed(held(5s, bob, 1, 2s))
            .changed(free(6s), 1)
            .counted(20min, {2, {}})
            .again(free(20min)),
        Certainty::Suspected, WaitersAsleep{2, WallTime(6s), true, std::nullopt, true});
    row("asleep: a longer lease than the last one was in force while they waited",
        waitedFor(held(1s, alice, 1, 5min))
            .changed(free(4s))
            .changed(held(5s, bob, 1, 10s))
            .changed(free(6s), 1)
            .counted(46s, {2, {}})
            .again(free(46s)),
        Certainty::Suspected, WaitersAsleep{2, WallTime(6s), true, WallTime(301s + 1ms)});
    row("asleep: they may have come before the lock was watched",
        LockStory(held(1s, alice))
            .counted(2s, {2, {}})
            .changed(free(10s), 1)
            .counted(20min, {2, {}})
            .again(free(20min)),
        Certainty::Suspected, WaitersAsleep{2, WallTime(10s)});
    row("asleep: they may have come before the connection was lost",
        waitedFor(held(1s, alice))
            .gap(held(6s, alice, 1, 25s))
            .counted(7s, {2, {}})
            .changed(free(10s), 1)
            .counted(20min, {2, {}})
            .again(free(20min)),
        Certainty::Suspected, WaitersAsleep{2, WallTime(10s)});
    row("asleep: never seen held, however long it is free: another database's lock may be meant",
        LockStory(free(0s)).counted(601s, {1, {}}).again(free(605s)), Certainty::Suspected,
        WaitersAsleep{1, WallTime(0s), false});

    row("deaf: nobody has subscribed where the slot is now", deafAfterMove(), Certainty::Likely,
        DeafWaiters{1, "node0:6379", "node1:6379", WallTime(3s)});
    row("deaf: released since, which wakes nobody", deafAfterMove().changed(onNode(1, free(14s)), 1),
        Certainty::Suspected, DeafWaiters{1, "node0:6379", "node1:6379", WallTime(3s)});
    row("deaf: one of two has the lock now",
        movedWhile(twoSharded)
            .changed(onNode(1, held(5s, bob, 1, 60s)))
            .counted(13s, {})
            .again(onNode(1, held(13s, bob, 1, 52s))),
        Certainty::Suspected, DeafWaiters{1, "node0:6379", "node1:6379", WallTime(3s)});
    row("deaf: the server had ended the subscription when it was counted once more",
        LockStory(onNode(0, held(0s, alice, 1, 60s)))
            .counted(1s, oneSharded)
            .counted(2s, {})
            .gap(onNode(1, held(3s, alice, 1, 57s)))
            .counted(13s, {})
            .again(onNode(1, held(13s, alice, 1, 47s))),
        Certainty::Suspected, DeafWaiters{1, "node0:6379", "node1:6379", WallTime(3s)});

    row("taken back: once, and a replica is missing", takenBack(1), Certainty::Suspected,
        AcquireTakenBack{bob, 1, WallTime(2060ms), WallTime(2060ms), 0, 1});
    row("taken back: twice", takenBack(2), Certainty::Likely,
        AcquireTakenBack{bob, 2, WallTime(2060ms), WallTime(4560ms), 0, 1});

    row("taken back: the replica is connected, but silent", takenBack(1, 1060ms, 1).silentReplicas(1),
        Certainty::Suspected, AcquireTakenBack{bob, 1, WallTime(2060ms), WallTime(2060ms), 1, 1, 1});
    row("taken back: a fair lock, which nobody waits for",
        LockStory(fair(0s, {}, {}))
            .changed(fair(1s, {exclusive(bob)}, {}))
            .changed(fair(2060ms, {}, {}))
            .changed(fair(3500ms, {exclusive(bob)}, {}))
            .replicas(0, 1),
        Certainty::Suspected, AcquireTakenBack{bob, 1, WallTime(2060ms), WallTime(2060ms), 0, 1});
    row("taken back: a name that was not known before",
        LockStory(held(1300ms, bob, 1, 30s - 300ms)).changed(free(2060ms), 1).changed(held(3500ms, bob)).replicas(0, 1),
        Certainty::Suspected, AcquireTakenBack{bob, 1, WallTime(2060ms), WallTime(2060ms), 0, 1});
    row("dropped: listens as a fair waiter does, and is not queued",
        LockStory(fair(0s, {exclusive(alice)}, {bob}))
            .counted(1s, {2, {bob, carol}})
            .counted(11s, {2, {bob, carol}})
            .again(fair(11s, {exclusive(alice)}, {bob})),
        Certainty::Likely, FairWaiterDropped{carol, WallTime(1s)});

    row("reader cut short: another one's renewal has set a shorter TTL", LockStory(cutTo(3s)), Certainty::Certain,
        ReaderCutShort{bob, WallTime(30s - 1ms), WallTime(3s - 1ms), alice});
    row("reader cut short: who has set it has released",
        LockStory(renewedTo(3s, shared(0s, {reader(bob)}, {{bob, 1}}))), Certainty::Certain,
        ReaderCutShort{bob, WallTime(30s - 1ms), WallTime(3s - 1ms), std::nullopt});
    row("reader cut short: not all timeout keys were read, but a longer one was", LockStory(notWhole(cutTo(3s))),
        Certainty::Certain, ReaderCutShort{bob, WallTime(30s - 1ms), WallTime(3s - 1ms), alice});

    row("zombie reader: its keys were there, and have run out",
        bobRanOut().changed(shared(15s, {reader(alice), reader(bob)}, {{alice, 1}})), Certainty::Likely,
        ZombieReader{bob, 1, 0, WallTime(10s)});
    row("zombie reader: it was so at the first read, and another reader has keys",
        LockStory(shared(0s, {reader(alice), reader(bob, 2)}, {{alice, 1}}))
            .changed(shared(5s, {reader(alice), reader(bob, 2)}, {{alice, 1}})),
        Certainty::Suspected, ZombieReader{bob, 2, 0, WallTime(0s)});
    row("zombie reader: a force left its keys behind",
        LockStory(shared(0s, {reader(bob, 2)}, {{bob, 2}}))
            .changed(shared(10s, {}, {{bob, 2}}), 1)
            .again(shared(15s, {}, {{bob, 2}})),
        Certainty::Certain, ZombieReader{bob, 0, 2, WallTime(10s)});
    row("zombie reader: its field is gone, and another one reads",
        LockStory(shared(0s, {reader(alice), reader(bob)}, {{alice, 1}, {bob, 1}}))
            .changed(shared(1s, {reader(alice)}, {{alice, 1}, {bob, 1}}))
            .changed(shared(6s, {reader(alice)}, {{alice, 1}, {bob, 1}})),
        Certainty::Certain, ZombieReader{bob, 0, 1, WallTime(1s)});

    row("double holder: another one on a server with another role",
        LockStory(held(0s, alice)).gap(held(5s, bob), QByteArray("replica")), Certainty::Suspected,
        PossibleDoubleHolder{alice, WallTime(30s - 1ms), 500ms, "replica"});
    row("double holder: the demoted server takes over the other's locks a little later",
        LockStory(held(0s, alice)).gap(held(5s, alice, 1, 25s), QByteArray("replica")).changed(held(6s, bob)),
        Certainty::Suspected, PossibleDoubleHolder{alice, WallTime(30s - 1ms), 500ms, "replica"});
    row("double holder: the lock was lost in the failover, and another took it",
        LockStory(held(0s, alice)).gap(free(5s), QByteArray("master")).changed(held(6s, bob)), Certainty::Suspected,
        PossibleDoubleHolder{alice, WallTime(30s - 1ms), 500ms, "master"});
}

void TestDiagnose::findsWithItsEvidence() {
    QFETCH(LockStory, story);
    QFETCH(Diagnoses, found);
    QCOMPARE(story.findings().diagnoses, found);
}

void TestDiagnose::findsNothingInNearMisses_data() {
    QTest::addColumn<LockStory>("story");
    const auto row = [](const char* name, const LockStory& story) { QTest::newRow(name) << story; };
    const QByteArray replica("replica");

    row("held, just seen", LockStory(held(0s, alice)));
    row("never expires: read between the two commands of a client that is not atomic", LockStory(endless(0s)));
    row("never expires: the second command took almost a second",
        LockStory(endless(0s)).changed(endless(999ms)).changed(held(1s, alice)));
    row("never expires: each hold of such a client is read at that moment",
        LockStory(endless(0s)).changed(held(1ms, alice)).changed(free(500ms), 1).changed(endless(2s)));
    row("never expires: a faster multi lock ends its values itself", LockStory(endless(0s, LockKind::Unknown)));
    row("never expires: a lease of a hundred years", LockStory(held(0s, alice, 1, std::chrono::hours(24 * 365 * 100))));

    row("watchdog: a renewal that is late, but not overdue", renewed(2).again(held(34s - 1ms, alice, 1, 17s)));
    row("watchdog: renewed at the last moment", renewed(2).changed(held(33s, alice)));
    row("watchdog: overdue since the renewal, but reentered 5 s ago",
        renewed(2).changed(held(29s, alice, 2)).again(held(34s, alice, 2, 25s)));
    row("watchdog: a reentry with a short lease of its own is below two thirds at once",
        renewed(2).changed(held(22s, alice, 2, 5s)));
    row("watchdog: overdue by the clock, but not read since", renewed(2));
    row("watchdog: TTL went up while no release message could have been received",
        LockStory(free(0s))
            .changed(held(1s, alice))
            .missingMessages(held(11s, alice))
            .missingMessages(held(21s, alice))
            .again(held(40s, alice, 1, 11s)));
    row("watchdog: a name whose locks go in silence may have been taken again", LockStory(free(0s))
                                                                                    .changed(held(1s, alice))
                                                                                    .changed(free(2s))
                                                                                    .changed(held(3s, alice))
                                                                                    .changed(held(4s, alice))
                                                                                    .changed(held(5s, alice))
                                                                                    .again(held(20s, alice, 1, 15s)));
    row("watchdog: of one reader among several", LockStory(readWrite(0s, {reader(alice), reader(bob)}, 25s))
                                                     .changed(readWrite(1s, {reader(alice), reader(bob)}))
                                                     .changed(readWrite(2s, {reader(alice), reader(bob)}))
                                                     .again(readWrite(20s, {reader(alice), reader(bob)}, 12s)));
    row("watchdog: the reader who was renewed has left", LockStory(readWrite(0s, {reader(alice), reader(bob)}, 25s))
                                                             .changed(readWrite(1s, {reader(alice), reader(bob)}))
                                                             .changed(readWrite(2s, {reader(alice), reader(bob)}))
                                                             .changed(readWrite(3s, {reader(bob)}, 20s))
                                                             .again(readWrite(20s, {reader(bob)}, 3s)));
    row("watchdog: a faster multi lock is not taken apart",
        LockStory(snapshot(0s, LockKind::Unknown, {exclusive(alice)}, 25s))
            .changed(snapshot(1s, LockKind::Unknown, {exclusive(alice)}, 30s))
            .again(snapshot(25s, LockKind::Unknown, {exclusive(alice)}, 6s)));
    row("watchdog: quick reentries at the beginning of a fixed lease lift the TTL too",
        LockStory(free(0s))
            .changed(held(1s, alice, 1, 60s))
            .changed(held(2s, alice, 1, 60s))
            .changed(held(3s, alice, 1, 60s))
            .again(held(40s, alice, 1, 23s)));
    row("asleep: the subscriber came after the last read, and may wait for the holder that has taken it since",
        freed(0).again(free(59s)).counted(60s, {1, {}}));
    row("watchdog: after a gap nothing was renewed yet", renewed(2).gap(held(40s, alice, 1, 11s)));

    row("deaf: it has subscribed at the new node",
        movedWhile(oneSharded).counted(5s, oneSharded).counted(13s, {}).again(onNode(1, held(13s, alice, 1, 47s))));
    row("deaf: it may still do so", movedWhile(oneSharded).counted(12s, {}).again(onNode(1, held(13s, alice, 1, 47s))));
    row("deaf: it may have been another monitor",
        movedWhile({1, {}, std::nullopt, 1}).counted(13s, {}).again(onNode(1, held(13s, alice, 1, 47s))));
    row("deaf: another monitor hides whether it has subscribed",
        movedWhile(oneSharded).counted(13s, {1, {}, std::nullopt, 1}).again(onNode(1, held(13s, alice, 1, 47s))));
    row("deaf: a plain subscription stays",
        movedWhile({1, {}, 0}).counted(13s, {1, {}, 0}).again(onNode(1, held(13s, alice, 1, 47s))));
    row("deaf: it has the lock now", LockStory(onNode(0, held(0s, alice, 1, 60s)))
                                         .counted(1s, oneSharded)
                                         .gap(onNode(1, held(3s, bob, 1, 60s)))
                                         .counted(13s, {})
                                         .again(onNode(1, held(13s, bob, 1, 50s))));
    row("deaf: a lost connection ends subscriptions too, but the slot is where it was",
        LockStory(onNode(0, held(0s, alice, 1, 60s)))
            .counted(1s, oneSharded)
            .gap(onNode(0, held(3s, alice, 1, 57s)))
            .counted(13s, {})
            .again(onNode(0, held(13s, alice, 1, 47s))));
    row("deaf: the count is too old", LockStory(onNode(0, held(0s, alice, 1, 60s)))
                                          .counted(1s, oneSharded)
                                          .gap(onNode(1, held(12s, alice, 1, 48s)))
                                          .counted(22s, {})
                                          .again(onNode(1, held(22s, alice, 1, 38s))));

    row("taken back: no replica is missing: its work takes a second", takenBack(3, 1060ms, 1));
    row("taken back: held for longer than a client waits for a replica", takenBack(3, 1500ms));
    row("taken back: held for less", takenBack(3, 500ms));
    row("taken back: another one takes it", LockStory(free(0s))
                                                .changed(held(1s, bob))
                                                .changed(free(2060ms), 1)
                                                .changed(held(3500ms, alice))
                                                .replicas(0, 1));
    row("taken back: one of two replicas is silent, and the other answers",
        takenBack(3, 1060ms, 2).replicas(2, 2).silentReplicas(1));
    row("taken back: a name that was not known before, held for longer than its first read shows",
        LockStory(held(1300ms, bob, 1, 29s)).changed(free(2060ms), 1).changed(held(3500ms, bob)).replicas(0, 1));
    row("taken back: without a release, although clients waited for one", LockStory(free(0s))
                                                                              .changed(waited(held(1s, bob), 1))
                                                                              .changed(waited(free(2060ms), 1))
                                                                              .changed(held(3500ms, bob))
                                                                              .replicas(0, 1));
    row("taken back: it tries again much later",
        LockStory(free(0s)).changed(held(1s, bob)).changed(free(2060ms), 1).changed(held(7100ms, bob)).replicas(0, 1));

    row("asleep: another monitor may be the only subscriber",
        freed(0).counted(16s, {1, {}, std::nullopt, 1}).again(free(16s)));

    row("never renewed: less than a watchdog's third is over",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(10s, alice, 1, 21s)).renews(alice, 30s));
    row("never renewed: its whole lease was not seen, so it may be the rest of another one",
        LockStory(held(1s, alice, 1, 20s)).again(held(14s, alice, 1, 7s)).renews(alice, 30s));
    row("never renewed: read too late after the acquire to know the lease",
        LockStory(free(0s))
            .changed(held(1s, alice, 1, 29s))
            .again(held(14s + 2ms, alice, 1, 16s - 2ms))
            .renews(alice, 30s));
    row("never renewed: renewed at last",
        LockStory(free(0s)).changed(held(1s, alice)).changed(held(13s, alice)).renews(alice, 30s));
    row("lease ran out: with the lease of a watchdog its client has died",
        expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)).renews(alice, 10s), 11s + 5ms));
    row("fixed lease: less than a watchdog's third is over",
        LockStory(free(0s)).changed(held(1s, alice)).again(held(10s, alice, 1, 21s)));
    row("fixed lease: it was held before the first read", LockStory(held(0s, alice)).again(held(29s, alice, 1, 1s)));
    row("fixed lease: another reader has come meanwhile", LockStory(free(0s))
                                                              .changed(readWrite(1s, {reader(alice)}))
                                                              .changed(readWrite(2s, {reader(alice), reader(bob)}))
                                                              .again(readWrite(29s, {reader(alice), reader(bob)}, 3s)));

    row("zombie reader: it has just expired, and is about to be released", bobRanOut());
    row("zombie reader: it was released since", bobRanOut().changed(shared(15s, {reader(alice)}, {{alice, 1}})));
    row("zombie reader: it reads again",
        bobRanOut().changed(shared(15s, {reader(alice), reader(bob, 2)}, {{alice, 1}, {bob, 2}})));
    row("zombie reader: one of its two holds has run out",
        LockStory(shared(0s, {reader(alice), reader(bob, 2)}, {{alice, 1}, {bob, 2}}))
            .changed(shared(10s, {reader(alice), reader(bob, 2)}, {{alice, 1}, {bob, 1}}))
            .changed(shared(20s, {reader(alice), reader(bob, 2)}, {{alice, 1}, {bob, 1}})));
    row("zombie reader: nobody was ever seen to have such a key: they may have other names",
        LockStory(shared(0s, {reader(alice), reader(bob)}, {}))
            .changed(shared(10s, {reader(alice), reader(bob)}, {}))
            .changed(shared(20s, {reader(alice), reader(bob)}, {})));
    row("zombie reader: not all of its keys were asked for",
        LockStory(shared(0s, {reader(alice), reader(bob)}, {{alice, 1}, {bob, 1}}))
            .changed(notWhole(shared(10s, {reader(alice), reader(bob)}, {{alice, 1}})))
            .changed(notWhole(shared(20s, {reader(alice), reader(bob)}, {{alice, 1}}))));
    row("zombie reader: the keys were not read at all",
        LockStory(shared(0s, {reader(alice), reader(bob)}, {{alice, 1}, {bob, 1}}))
            .changed(readWrite(10s, {reader(alice), reader(bob)}))
            .changed(readWrite(20s, {reader(alice), reader(bob)})));
    row("zombie reader: after a gap it may read again with keys of its own",
        bobRanOut().gap(shared(15s, {reader(alice), reader(bob)}, {{alice, 1}})));
    row("zombie reader: alone it goes with the lock's TTL", LockStory(shared(0s, {reader(bob)}, {{bob, 1}}))
                                                                .changed(shared(10s, {reader(bob)}, {}))
                                                                .changed(shared(20s, {reader(bob)}, {})));
    row("zombie reader: the writer's own reading has run out, as nobody renews it",
        LockStory(shared(0s, {writer(alice), reader(alice)}, {{alice, 1}}))
            .changed(shared(10s, {writer(alice), reader(alice)}, {}))
            .changed(shared(20s, {writer(alice), reader(alice)}, {})));
    row("zombie reader: a writer has no timeout keys",
        LockStory(shared(0s, {writer(alice)}, {})).changed(shared(10s, {writer(alice)}, {})));
    row("zombie reader: the writer that also reads has its own",
        LockStory(shared(0s, {writer(alice), reader(alice)}, {{alice, 1}}))
            .changed(shared(10s, {writer(alice), reader(alice)}, {{alice, 1}})));
    row("reader cut short: leases that several commands set end some time apart", LockStory(cutTo(30s - 999ms)));
    row("reader cut short: the lock ends last", LockStory(cutTo(40s)));
    row("reader cut short: the writer reads, and its own renewals end with it",
        LockStory(renewedTo(3s, shared(0s, {writer(alice), reader(alice)}, {{alice, 1}}))));
    row("reader cut short: a left-over key of one that is no reader",
        LockStory(renewedTo(3s, shared(0s, {reader(alice)}, {{bob, 1}}))));
    row("reader cut short: a timeout key without an end", LockStory([] {
            LockSnapshot lock = cutTo(3s);
            auto parts = std::make_shared<LockParts>(*lock.parts);
            parts->readLeases.last().expiry.reset();
            lock.parts = parts;
            return lock;
        }()));
    row("zombie reader: left-over keys that go at once", LockStory(shared(0s, {reader(bob)}, {{bob, 1}}))
                                                             .changed(shared(10s, {}, {{bob, 1}}), 1)
                                                             .changed(shared(12s, {}, {})));

    row("lease ran out: released", freed(1));
    row("lease ran out: deleted with time left", freed(0));
    row("lease ran out: of a holder that was renewed, and has died", expiredAfter(renewed(2), 51s + 5ms));
    row("lease ran out: begun before the first read", expiredAfter(LockStory(held(0s, alice, 1, 10s)), 10s + 5ms));
    row("lease ran out: no message could have been received",
        LockStory(free(0s)).changed(held(1s, alice, 1, 10s)).missingMessages(free(11s + 5ms)));
    row("lease ran out: ten minutes ago",
        expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)), 11s + 5ms).again(free(611s + 5ms)));

    row("orphan: four holds are too few to be usual", longAfterShort(4, 200s, held(200s, bob, 1, 20s)));
    row("orphan: less than a minute", longAfterShort(5, 160s, held(160s - 1ms, bob, 1, 20s)));
    row("orphan: not renewed, so it ends by itself", LockStory(free(0s))
                                                         .changed(held(1s, alice))
                                                         .changed(free(1s + 10ms), 1)
                                                         .changed(held(2s, alice))
                                                         .changed(free(2s + 10ms), 1)
                                                         .changed(held(3s, alice))
                                                         .changed(free(3s + 10ms), 1)
                                                         .changed(held(4s, alice))
                                                         .changed(free(4s + 10ms), 1)
                                                         .changed(held(5s, alice))
                                                         .changed(free(5s + 10ms), 1)
                                                         .changed(held(100s, bob, 1, 300s))
                                                         .again(held(170s, bob, 1, 230s)));
    row("orphan: what was usual before a gap is forgotten", longAfterShort(5, 150s, held(150s, bob, 1, 20s))
                                                                .gap(held(151s, bob))
                                                                .changed(held(155s, bob))
                                                                .again(held(161s, bob, 1, 24s)));

    row("reentry: nine deep", climbing(1, 9));
    row("reentry: deep at the first read, and two steps are no climb",
        LockStory(held(0s, alice, 10)).changed(held(1s, alice, 11)).changed(held(2s, alice, 12)));
    row("reentry: once down on the way", climbing(1, 10).changed(held(5s, alice, 9)).changed(held(6s, alice, 20)));

    row("blocked queue: the head still has time to take it",
        freeWithQueue().counted(12s, {1, {carol}}).again(fair(15s - 1ms, {}, {bob, carol})));
    row("blocked queue: a new head came a moment ago",
        freeWithQueue().again(fair(14s, {}, {carol})).counted(15s, {0, {}}).again(fair(16s, {}, {carol})));
    row("blocked queue: held",
        LockStory(fair(0s, {exclusive(alice)}, {bob})).again(fair(60s, {exclusive(alice)}, {bob})));
    row("blocked queue: somebody was in and out",
        freeWithQueue().changed(fair(14s, {}, {bob, carol}), 1).again(fair(16s, {}, {bob, carol})));

    row("asleep: a waiter is just being woken", freed(0).counted(14s, {2, {}}).again(free(14s)));
    row("asleep: nobody was counted since", freed(0).counted(9s, {2, {}}).again(free(16s)));
    row("asleep: not read since", freed(0).counted(16s, {2, {}}));
    row("asleep: no subscriber", freed(0).counted(16s, {0, {}}).again(free(15s)));
    row("asleep: held again", freed(1).changed(held(12s, bob)).counted(17s, {2, {}}).again(held(17s, bob, 1, 25s)));
    row("asleep: taken and released between two reads",
        freed(0).changed(free(14s), 1).counted(16s, {2, {}}).again(free(16s)));
    row("asleep: polled, and no message could have been received",
        freed(0).then(free(14s), deafPoll()).counted(16s, {2, {}}).again(free(16s)));

    row("dropped: listens for less than ten seconds", LockStory(fair(0s, {exclusive(alice)}, {bob}))
                                                          .counted(1s, {1, {carol}})
                                                          .counted(10s, {1, {carol}})
                                                          .again(fair(11s, {exclusive(alice)}, {bob})));
    row("dropped: was queued in between", LockStory(fair(0s, {exclusive(alice)}, {bob}))
                                              .counted(1s, {1, {carol}})
                                              .changed(fair(5s, {exclusive(alice)}, {bob, carol}))
                                              .changed(fair(6s, {exclusive(alice)}, {bob}))
                                              .counted(11s, {1, {carol}})
                                              .again(fair(12s, {exclusive(alice)}, {bob})));
    row("dropped: it is the holder, on its way out of waiting", LockStory(fair(0s, {exclusive(alice)}, {bob}))
                                                                    .counted(1s, {1, {alice}})
                                                                    .counted(12s, {1, {alice}})
                                                                    .again(fair(12s, {exclusive(alice)}, {bob})));
    row("dropped: the queue was too long to be read to its end", LockStory(fair(0s, {exclusive(alice)}, {bob}, 150))
                                                                     .counted(1s, {1, {carol}})
                                                                     .counted(12s, {1, {carol}})
                                                                     .again(fair(12s, {exclusive(alice)}, {bob}, 150)));

    row("double holder: the same role", LockStory(held(0s, alice)).gap(held(5s, bob)));
    row("double holder: the earlier lease had run out", LockStory(held(0s, alice)).gap(held(40s, bob), replica));
    row("double holder: the same holder", LockStory(held(0s, alice)).gap(held(5s, alice, 2), replica));
    row("lease cut: but not renewed since", cutAndRenewed(30s, 0));
    row("lease cut: counted down, and renewed", LockStory(free(0s))
                                                    .changed(held(1s, alice, 1, 60s))
                                                    .again(held(21s, alice, 1, 40s - 1ms))
                                                    .changed(held(22s, alice, 1, 60s)));
    row("lease cut: by set-ttl, and the watchdog that it always had has renewed it",
        LockStory(free(0s)).changed(held(1s, alice)).changed(held(4s, alice, 1, 15s)).changed(held(11s, alice)));
    row("lease cut: by a short reentry, after renewals",
        renewed(2).changed(held(22s, alice, 2, 5s)).changed(held(24s, alice, 2)).changed(held(34s, alice, 2)));
    row("lease cut: raised by a quick reentry, no watchdog", LockStory(free(0s))
                                                                 .changed(held(1s, alice, 1, 60s))
                                                                 .changed(held(11s, alice, 1, 30s))
                                                                 .changed(held(12s, alice, 1, 30s)));
    row("lease cut: a release of one of two holds sets its own lease", LockStory(free(0s))
                                                                           .changed(held(1s, alice, 2, 60s))
                                                                           .changed(held(11s, alice, 1))
                                                                           .changed(held(21s, alice, 1))
                                                                           .changed(held(31s, alice, 1)));
    row("lease cut: the server's clock was set forward, and nothing was written", LockStory(free(0s))
                                                                                      .changed(held(1s, alice, 1, 60s))
                                                                                      .again(held(11s, alice, 1, 30s))
                                                                                      .changed(held(21s, alice, 1))
                                                                                      .changed(held(31s, alice, 1)));
    row("lease cut: the holds of a writer add up", LockStory(readWrite(0s, {writer(alice, 2)}, 60s))
                                                       .changed(readWrite(5s, {writer(alice, 2)}))
                                                       .changed(readWrite(15s, {writer(alice, 2)}))
                                                       .changed(readWrite(25s, {writer(alice, 2)})));
    row("lease cut: another reader renews", LockStory(readWrite(0s, {reader(alice), reader(bob)}, 60s))
                                                .changed(readWrite(5s, {reader(alice), reader(bob)}))
                                                .changed(readWrite(15s, {reader(alice), reader(bob)}))
                                                .changed(readWrite(25s, {reader(alice), reader(bob)})));
    row("lease cut: released and taken again in between", LockStory(free(0s))
                                                              .changed(held(1s, alice, 1, 60s))
                                                              .changed(held(11s, alice), 1)
                                                              .changed(held(21s, alice))
                                                              .changed(held(31s, alice)));

    row("head without a deadline: one read is no proof",
        LockStory(withoutDeadline(0s)).again(withoutDeadline(5s - 1ms)));
    row("head without a deadline: not known, because the deadlines could not be read", [] {
        const auto unread = [](Milliseconds at) {
            LockSnapshot lock = fair(at, {exclusive(alice)}, {bob, carol});
            for (FairWaiter& waiter : lock.fairQueue)
                waiter.deadline.reset();
            return lock;
        };
        return LockStory(unread(0s)).again(unread(20s));
    }());
    row("head without a deadline: it is not the head that has none", [] {
        const auto second = [](Milliseconds at) {
            LockSnapshot lock = fair(at, {exclusive(alice)}, {bob, carol});
            lock.fairQueue.last() = FairWaiter{carol, std::nullopt, true};
            return lock;
        };
        return LockStory(second(0s)).again(second(20s));
    }());
    row("head without a deadline: another one each time", LockStory(withoutDeadline(0s))
                                                              .changed(withoutDeadline(4s, {exclusive(bob)}, {carol}))
                                                              .again(withoutDeadline(8s, {exclusive(bob)}, {carol})));
    row("head without a deadline: it got one", LockStory(withoutDeadline(0s))
                                                   .changed(fair(4s, {exclusive(alice)}, {bob, carol}))
                                                   .changed(withoutDeadline(6s)));

    row("double holder: free after the gap", LockStory(held(0s, alice)).gap(free(5s), replica));
    row("double holder: released after the failover, with a message",
        LockStory(held(0s, alice)).gap(held(5s, alice, 1, 25s), replica).changed(held(6s, bob), 1));
    row("double holder: taken when the earlier lease had run out",
        LockStory(held(0s, alice)).gap(free(5s), replica).changed(held(31s, bob)));
    row("double holder: readers share",
        LockStory(readWrite(0s, {reader(alice)})).gap(readWrite(5s, {reader(bob)}), replica));
}

void TestDiagnose::findsNothingInNearMisses() {
    QFETCH(LockStory, story);
    const Diagnoses found = story.findings().diagnoses;
    QVERIFY2(found.isEmpty(), found.isEmpty() ? "" : qPrintable(wordFor(found.first().kind())));
}

void TestDiagnose::readsAgainWhenTimeAloneWouldProveIt_data() {
    QTest::addColumn<LockStory>("story");
    QTest::addColumn<qint64>("milliseconds");
    const auto row = [](const char* name, const LockStory& story, Milliseconds at) {
        QTest::newRow(name) << story << qint64{at.count()};
    };
    const Milliseconds never = -1ms;
    row("when a renewal is overdue", renewed(2), 34s + 1ms);
    row("when a first renewal is overdue", LockStory(free(0s)).changed(held(1s, alice)), 14s + 1ms);
    row("when a waiter should have taken it", freed(0).counted(11s, {1, {}}), 15s);
    row("when a queue's head should have taken it", freeWithQueue(), 15s);
    row("when nobody who sleeps can still sleep",
        waitedFor(held(1s, alice)).changed(free(10s), 1).counted(16s, {2, {}}).again(free(16s)), 36s + 1ms);
    row("not for who may sleep for ever",
        waitedFor(endless(1s))
            .changed(held(5s, alice, 1, 2s))
            .changed(free(7s + 5ms))
            .counted(16s, {2, {}})
            .again(free(16s)),
        never);
    row("when a waiter has listened unqueued for long",
        LockStory(fair(0s, {exclusive(alice)}, {})).counted(1s, {1, {bob}}), 11s);
    row("when a head without a deadline should have got one", LockStory(withoutDeadline(0s)), 5s);
    row("when a reader that has run out must have released", bobRanOut(), 15s);
    row("when who waited before a move should have subscribed again", movedWhile(oneSharded).counted(4s, {}), 13s);
    row("when what happened is long ago", expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)), 11s + 5ms),
        611s + 5ms);
    row("not for what was held before the first read", LockStory(held(0s, alice)), never);
    row("when a second has passed since it was seen without an end", LockStory(endless(0s)), 1s);
    row("not for what never ends", LockStory(endless(0s)).again(endless(1s)), never);
    row("not for what ends in a hundred years", LockStory(free(0s)).changed([] {
        LockSnapshot lock = held(1s, alice);
        lock.expiry = Expiry{SteadyTime::max(), SteadyTime::max()};
        return lock;
    }()),
        never);
    row("not for what is free", freed(1), never);
    row("not once it is found", renewed(2).again(held(34s + 1ms, alice, 1, 17s - 1ms)), never);
}

void TestDiagnose::readsAgainWhenTimeAloneWouldProveIt() {
    QFETCH(LockStory, story);
    QFETCH(qint64, milliseconds);
    const std::optional<SteadyTime> next = story.findings().nextRead;
    QCOMPARE(next.has_value(), milliseconds >= 0);
    if (next)
        QCOMPARE(std::chrono::duration_cast<Milliseconds>(*next - SteadyTime(1h)).count(), milliseconds);
}

void TestDiagnose::everyFindingEndsWithItsEvidence_data() {
    QTest::addColumn<LockStory>("found");
    QTest::addColumn<LockStory>("ended");
    const auto row = [](const char* name, const LockStory& found, const LockStory& ended) {
        QTest::newRow(name) << found << ended;
    };
    LockStory story = renewed(2).again(held(34s + 1ms, alice, 1, 17s - 1ms));
    row("a renewal after all", story, LockStory(story).changed(held(35s, alice)));
    row("released after all", story, LockStory(story).changed(free(35s), 1));
    row("no longer watched", story, LockStory(story).gap(held(35s, alice, 1, 16s)));
    story = LockStory(endless(0s)).again(endless(1s));
    row("an expiry was set", story, LockStory(story).changed(held(1s, alice)));
    story = expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)), 11s + 5ms);
    row("the next hold was released", story, LockStory(story).changed(held(12s, bob)).changed(free(13s), 1));
    story = climbing(1, 10);
    row("a step down", story, LockStory(story).changed(held(5s, alice, 9)));
    story = freeWithQueue().counted(12s, {0, {}}).again(fair(15s, {}, {bob, carol}));
    row("the head took it", story, LockStory(story).changed(fair(16s, {exclusive(bob)}, {carol})));
    story = cutAndRenewed(30s, 2);
    row("the cut lease was released", story, LockStory(story).changed(free(32s), 1));
    row("the cut lease is another hold's now", story, LockStory(story).changed(held(32s, bob), 1));
    story = LockStory(withoutDeadline(0s)).again(withoutDeadline(5s));
    row("the head without a deadline has left", story, LockStory(story).changed(fair(6s, {exclusive(alice)}, {carol})));
    story = bobRanOut().changed(shared(15s, {reader(alice), reader(bob)}, {{alice, 1}}));
    row("the zombie released after all", story, LockStory(story).changed(shared(16s, {reader(alice)}, {{alice, 1}})));
    row("the lock went with its other readers", story, LockStory(story).changed(shared(16s, {}, {}), 1));
    story = LockStory(cutTo(3s));
    row("the other reader released it, which sets the longest lease", story,
        LockStory(story).changed(shared(1s, {reader(bob)}, {{bob, 1}})));
    row("the reader released it", story, LockStory(story).changed(shared(1s, {reader(alice)}, {{alice, 1}})));
    story = freed(0).counted(16s, {2, {}}).again(free(16s));
    row("a waiter woke up", story, LockStory(story).changed(held(17s, bob)));
    row("the waiters have left", story, LockStory(story).counted(17s, {0, {}}));
    story = deafAfterMove();
    row("who was deaf has subscribed after all", story, LockStory(story).counted(15s, oneSharded));
    row("who was deaf has acquired it", story, LockStory(story).changed(onNode(1, held(60s, bob))));
    row("the move is long ago", story, LockStory(story).changed(onNode(1, held(603s, alice))));
    story = takenBack(1);
    row("the replica is back", story, LockStory(story).replicas(1, 1));
    row("the last time is long ago", story, LockStory(story).changed(held(602060ms, bob)));
    story = LockStory(held(0s, alice)).gap(held(5s, bob), QByteArray("replica"));
    row("the other holder released it", story, LockStory(story).changed(free(6s), 1));
}

void TestDiagnose::everyFindingEndsWithItsEvidence() {
    QFETCH(LockStory, found);
    QFETCH(LockStory, ended);
    QCOMPARE(found.findings().diagnoses.size(), 1);
    QCOMPARE(ended.findings().diagnoses.size(), 0);
}

// What this console holds has no worker that it does not know of.
void TestDiagnose::nothingIsGuessedAboutTheConsolesOwnLeases() {
    const LockStory quarantine =
        LockStory(free(0s)).changed(held(1s, alice)).again(held(14s + 2ms, alice, 1, 17s - 2ms));
    QCOMPARE(quarantine.findings().diagnoses.size(), 1);
    QCOMPARE(quarantine.findings({alice.client()}).diagnoses, Diagnoses());
    QCOMPARE(quarantine.findings({bob.client()}).diagnoses.size(), 1);
    const LockStory over = expiredAfter(LockStory(free(0s)).changed(held(1s, alice, 1, 10s)), 11s + 5ms);
    QCOMPARE(over.findings().diagnoses.size(), 1);
    QCOMPARE(over.findings({alice.client()}).diagnoses, Diagnoses());
    // Its watchdog may stop like any other.
    const LockStory stopped = renewed(2).again(held(35s, alice, 1, 16s));
    QCOMPARE(stopped.findings({alice.client()}).diagnoses.size(), 1);
}

void TestDiagnose::theGravestComesFirst() {
    const LockStory story = LockStory(free(0s))
                                .changed(held(1s, alice, 1, 10s))
                                .changed(held(11s + 5ms, bob))
                                .again(held(25s, bob, 1, 16s));
    const Diagnoses found = story.findings().diagnoses;
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].kind(), DiagnosisKind::LeaseRanOut);
    QCOMPARE(found[1].kind(), DiagnosisKind::FixedLease);
}

void TestDiagnose::aBlockedQueueAwaitsTheNextCount() {
    QVERIFY(freeWithQueue().findings().awaitsCount);
    QVERIFY(bobIsDeafUntil(22s - 1ms, {}).findings().awaitsCount);
    QVERIFY(bobIsDeafUntil(22s, {}).findings().awaitsCount);                         // carol may be dead, too
    QVERIFY(bobIsDeafUntil(22s, {}, {false, {bob, carol}}).findings().awaitsCount);  // one may be back at a replica
    QVERIFY(!freed(1).findings().awaitsCount);
}

// Also for waiters behind the head, and while the lock is held.
void TestDiagnose::twoCountsProveAWaiterDead_data() {
    QTest::addColumn<LockStory>("story");
    QTest::addColumn<QList<HolderId>>("dead");
    const LockSnapshot queued = fair(0s, {exclusive(alice)}, {bob, carol});
    const auto again = [](Milliseconds at) { return fair(at, {exclusive(alice)}, {bob, carol}); };
    const auto silentSince1s = [&queued] { return LockStory(queued).counted(1s, {}, carolIsSilent); };
    using Dead = QList<HolderId>;
    QTest::newRow("ten seconds apart") << silentSince1s().counted(11s, {}, carolIsSilent) << Dead{carol};
    const QueueListening bothAreSilent{false, {bob, carol}, Coverage::AllServers};
    QTest::newRow("all of them") << LockStory(queued).counted(1s, {}, bothAreSilent).counted(11s, {}, bothAreSilent)
                                 << Dead{bob, carol};
    QTest::newRow("not ten seconds apart") << silentSince1s().counted(11s - 1ms, {}, carolIsSilent) << Dead{};
    QTest::newRow("one count") << silentSince1s() << Dead{};
    QTest::newRow("subscribed in between")
        << silentSince1s().counted(5s, {1, {carol}}, bobIsSilent).counted(11s, {}, carolIsSilent) << Dead{};
    QTest::newRow("not all servers were asked in between")
        << silentSince1s().counted(5s, {}, notAllWereAsked).counted(11s, {}, carolIsSilent) << Dead{};
    QTest::newRow("left and queued again in between")
        << silentSince1s().again(fair(5s, {exclusive(alice)}, {bob})).again(again(6s)).counted(11s, {}, carolIsSilent)
        << Dead{};
    QTest::newRow("the first count is older than its place")
        << LockStory(queued).again(again(1s)).counted(1s, {}, carolIsSilent).counted(11s, {}, carolIsSilent) << Dead{};
    QTest::newRow("another has left before it, and the lock is free")
        << silentSince1s().changed(fair(5s, {}, {carol})).counted(11s, {}, carolIsSilent) << Dead{carol};
    QTest::newRow("not watched in between") << silentSince1s().gap(again(5s)).counted(11s, {}, carolIsSilent) << Dead{};
}

void TestDiagnose::twoCountsProveAWaiterDead() {
    QFETCH(LockStory, story);
    QFETCH(QList<HolderId>, dead);
    QList<HolderId> found;
    for (const FairWaiter& waiter : story.findings().deadWaiters)
        found += waiter.id;
    QCOMPARE(found, dead);
}

void TestDiagnose::behindADeadHeadAWaiterThatListensIsAStorm_data() {
    QTest::addColumn<LockStory>("story");
    QTest::addColumn<Diagnoses>("found");
    const Diagnosis blocked{Certainty::Certain, FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2}};
    const auto storm = [](Certainty certainty, std::optional<qint64> rate) {
        return Diagnosis{certainty, FairQueueStorm{bob, WallTime(5min), WallTime(10s), 1, rate}};
    };
    QTest::newRow("on a busy server") << bobIsDeafUntil(22s, {carol}).commandsPerSecond(1000)
                                      << Diagnoses{storm(Certainty::Likely, 1000), blocked};
    QTest::newRow("on a server of which it is not known")
        << bobIsDeafUntil(22s, {carol}) << Diagnoses{storm(Certainty::Suspected, std::nullopt), blocked};
    // The replicas, where the head may be subscribed, were not asked.
    const Diagnosis likelyBlocked{Certainty::Likely, FairQueueBlocked{bob, WallTime(5min), WallTime(10s), 2}};
    QTest::newRow("beside a replica, on a busy server")
        << bobIsDeafUntil(22s, {carol}, notAllWereAsked).commandsPerSecond(1000)
        << Diagnoses{storm(Certainty::Likely, 1000), likelyBlocked};
    QTest::newRow("beside a replica, for less than ten seconds")
        << bobIsDeafUntil(22s - 1ms, {carol}, notAllWereAsked).commandsPerSecond(1000) << Diagnoses{likelyBlocked};
    QTest::newRow("beside a replica, on a server of which it is not known")
        << bobIsDeafUntil(22s, {carol}, notAllWereAsked) << Diagnoses{likelyBlocked};
    QTest::newRow("beside a replica, the head has listened in between")
        << bobIsDeafUntil(18s, {carol}, notAllWereAsked)
               .counted(19s, {2, {bob, carol}}, notAllWereAsked)
               .counted(22s, {1, {carol}}, notAllWereAsked)
               .commandsPerSecond(1000)
        << Diagnoses{likelyBlocked};
    QTest::newRow("nobody behind it listens") << bobIsDeafUntil(22s, {}).commandsPerSecond(9000) << Diagnoses{blocked};
}

void TestDiagnose::behindADeadHeadAWaiterThatListensIsAStorm() {
    QFETCH(LockStory, story);
    QFETCH(Diagnoses, found);
    QCOMPARE(story.findings().diagnoses, found);
}

LOCKKEEPER_TEST(TestDiagnose, Guiless)

}  // namespace tst_diagnose

#include "tst_diagnose.moc"
