// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/snapshotcompare.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"
#include "support/touchedkeys.h"

#include <QTest>

namespace tst_snapshotcompare {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// The messages and pushes between two reads on a tracking connection.
BetweenReads untouched(int messages = 0) {
    BetweenReads between;
    between.touch = KeyTouch::Untouched;
    between.messages = messages;
    return between;
}
BetweenReads polled(int messages = 0) {
    BetweenReads between;
    between.messages = messages;
    return between;
}
BetweenReads deaf(BetweenReads between) {
    between.reception = Reception::Incomplete;
    return between;
}
BetweenReads doubtful(BetweenReads between) {
    between.countdown = Countdown::Doubtful;
    return between;
}
BetweenReads gap(Milliseconds length) {
    BetweenReads between;
    between.gap = length;
    return between;
}
LockSnapshot fair(Milliseconds at, const QList<Holder>& holders, const QList<HolderId>& queue = {}) {
    LockSnapshot lock =
        snapshot(at, LockKind::Fair, holders, holders.isEmpty() ? std::nullopt : std::optional(30000ms));
    for (const HolderId& id : queue)
        lock.fairQueue.append(FairWaiter{id, std::nullopt});
    return lock;
}
LockSnapshot unknown(Milliseconds at, const QList<Holder>& holders) {
    return snapshot(at, LockKind::Unknown, holders, 30000ms);
}
LockSnapshot ofOtherProgram(Milliseconds at, const QList<Holder>& holders) {
    LockSnapshot lock = unknown(at, holders);
    LockParts parts;
    parts.otherProgram = {{"svc:1", "1"}};
    lock.parts = std::make_shared<const LockParts>(parts);
    return lock;
}
// A lock with more holders than were read.
LockSnapshot cut(Milliseconds at, const QList<Holder>& readers) {
    LockSnapshot lock = readWrite(at, readers);
    LockParts parts;
    parts.moreHolders = 1499;
    lock.parts = std::make_shared<const LockParts>(parts);
    return lock;
}
LockSnapshot withWaiters(LockSnapshot lock, std::optional<int> waiters) {
    lock.waiters = waiters;
    return lock;
}

LockSnapshot waitedFor(LockSnapshot lock) {
    return withWaiters(std::move(lock), 1);
}
// Other monitors may be all of its subscribers.
LockSnapshot watched(LockSnapshot lock) {
    lock.monitorsAmongWaiters = 2;
    return withWaiters(std::move(lock), 2);
}

}  // namespace

class TestSnapshotCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void claimsWhatIsProven_data();
    void claimsWhatIsProven();
    void aLockWhoseReleasesWereAnnouncedIsDeleted();
    void saysWhatBecameOfTheHold_data();
    void saysWhatBecameOfTheHold();
    void tellsExpiredFromAnEarlierEndToTheMillisecond_data();
    void tellsExpiredFromAnEarlierEndToTheMillisecond();
    void eventsCarryTheLaterReadAndItsTime();
    void theGapIsInItsEvent();
};

void TestSnapshotCompare::claimsWhatIsProven_data() {
    QTest::addColumn<LockSnapshot>("before");
    QTest::addColumn<LockSnapshot>("after");
    QTest::addColumn<BetweenReads>("between");
    QTest::addColumn<QByteArrayList>("events");
    const auto row = [](const char* name, const LockSnapshot& before, const LockSnapshot& after,
                        const BetweenReads& between,
                        const QByteArrayList& events) { QTest::newRow(name) << before << after << between << events; };
    const LockSnapshot never = held(0ms, alice, 1, std::nullopt);

    // One holder
    row("nothing changed", held(0ms, alice, 1, 30000ms), held(5000ms, alice, 1, 25000ms), polled(), {});
    row("acquired", free(0ms), held(5ms, alice), touched(4ms), {"acquired alice"});
    row("reentered", held(0ms, alice), held(5ms, alice, 2), touched(4ms), {"reentered alice"});
    row("reentered lifts the TTL too", held(0ms, alice, 1, 3000ms), held(5ms, alice, 2, 30000ms), touched(4ms),
        {"reentered alice"});
    row("released once", held(0ms, alice, 3), held(5ms, alice, 2), touched(4ms), {"released_once alice"});
    row("renewed", held(0ms, alice, 1, 20000ms), held(5ms, alice, 1, 30000ms), touched(4ms), {"renewed alice"});
    row("renewed by the least provable amount", held(0ms, alice, 1, 20000ms), held(5ms, alice, 1, 19998ms),
        touched(4ms), {"renewed alice"});
    row("a TTL within the rounding is no renewal", held(0ms, alice, 1, 20000ms), held(5ms, alice, 1, 19997ms),
        touched(4ms), {});
    row("made to last for ever", held(0ms, alice), held(5ms, alice, 1, std::nullopt), touched(4ms), {"renewed alice"});
    row("given an end", never, held(5ms, alice, 1, 1000ms), touched(4ms), {});
    row("shortened", held(0ms, alice, 1, 30000ms), held(5ms, alice, 1, 100ms), touched(4ms), {});
    row("released", held(0ms, alice), free(5ms), touched(4ms, 1), {"released alice"});
    row("expired", held(0ms, alice, 1, 100ms), free(110ms), touched(105ms), {"expired alice"});
    row("deleted, or released as a spin lock is", held(0ms, alice, 1, 100ms), free(60ms), touched(55ms),
        {"released alice without a message"});
    row("deleted, or released, without expiry", never, free(60ms), touched(55ms), {"released alice without a message"});
    row("deleted: whoever waits is told of a release", waitedFor(held(0ms, alice)), free(60ms), touched(55ms),
        {"deleted alice"});
    row("deleted, or released: only a monitor is subscribed", watched(held(0ms, alice)), free(60ms), touched(55ms),
        {"released alice without a message"});
    row("deleted: the release of a fenced lock is published", snapshot(0ms, LockKind::Fenced, {exclusive(alice)}, 30s),
        free(60ms, LockKind::Fenced), touched(55ms), {"deleted alice"});
    row("deleted: the release of a reader is published", readWrite(0ms, {reader(alice)}),
        free(60ms, LockKind::ReadWrite), touched(55ms), {"deleted alice read"});
    // How another program releases its locks is not known.
    row("another program's: gone", ofOtherProgram(0ms, {exclusive(alice)}), free(60ms), touched(55ms), {"gone alice"});
    row("another program's: released with a message", ofOtherProgram(0ms, {exclusive(alice)}), free(60ms),
        touched(55ms, 1), {"released alice"});
    row("another program's: no renewal is concluded", ofOtherProgram(0ms, {exclusive(alice)}),
        ofOtherProgram(5000ms, {exclusive(alice)}), touched(4999ms), {});
    // Deleted, or renewed and expired since: the first push only reports the first change.
    row("touched before its end, read after it", held(0ms, alice, 1, 100ms), free(160ms), touched(50ms),
        {"gone alice"});
    row("a message beats the clock", held(0ms, alice, 1, 100ms), free(160ms), touched(150ms, 1), {"released alice"});
    row("polled: expired", held(0ms, alice, 1, 100ms), free(110ms), polled(), {"expired alice"});
    row("polled: deleted, or released", held(0ms, alice, 1, 100ms), free(60ms), polled(),
        {"released alice without a message"});
    row("polled: expired, and read shortly before", held(28000ms, alice, 1, 2000ms), free(40000ms), polled(),
        {"expired alice"});
    row("polled: there long before its end, gone after it", held(0ms, alice, 1, 30000ms), free(50000ms), polled(),
        {"gone alice"});
    row("tracked: its end came, and nobody touched it before", held(0ms, alice, 1, 30000ms), free(30005ms), untouched(),
        {"expired alice"});
    // A server's clock that is 500 ppm slower or faster than ours.
    row("its clock is slow: no renewal", held(0ms, alice, 1, 3600000ms), held(1000000ms, alice, 1, 2600500ms),
        touched(999999ms), {});
    row("renewed by more than a slow clock explains", held(0ms, alice, 1, 3600000ms),
        held(1000000ms, alice, 1, 2600510ms), touched(999999ms), {"renewed alice"});
    row("its clock is fast: expired before its time", held(0ms, alice, 1, 1000000ms), free(999600ms), touched(999600ms),
        {"expired alice"});
    row("gone earlier than a fast clock explains", held(0ms, alice, 1, 1000000ms), free(999400ms), touched(999400ms),
        {"released alice without a message"});

    // The server's clock has jumped, the server has stood still, or it is a replica that may lack a renewal
    row("doubtful: gone with time left", held(0ms, alice, 1, 30000ms), free(5ms), doubtful(touched(4ms)),
        {"gone alice"});
    row("doubtful: gone after its end", held(0ms, alice, 1, 100ms), free(110ms), doubtful(touched(105ms)),
        {"gone alice"});
    row("doubtful: nobody touched it", held(0ms, alice, 1, 100ms), free(110ms), doubtful(untouched()), {"gone alice"});
    row("doubtful: another holder is nobody's fault", held(0ms, alice), held(5ms, bob), doubtful(touched(4ms)),
        {"handed_over bob"});
    row("doubtful: a writer after a reader", readWrite(0ms, {reader(alice)}), readWrite(5ms, {writer(bob)}),
        doubtful(touched(4ms)), {"gone alice read", "acquired bob write"});
    row("doubtful: a message says more than a clock", held(0ms, alice), free(5ms), doubtful(touched(4ms, 1)),
        {"released alice"});
    row("doubtful: without expiry no clock ends it", never, free(60ms), doubtful(touched(55ms)),
        {"released alice without a message"});
    row("nobody wrote it: the server's clock was set back", held(0ms, alice, 1, 20000ms), held(5ms, alice, 1, 30000ms),
        untouched(), {});

    // Of very many readers not all are read: each read may name other ones.
    row("readers that are only known in part", cut(0ms, {reader(alice)}), cut(5ms, {reader(bob)}), touched(4ms), {});
    row("they become fewer", cut(0ms, {reader(alice)}), readWrite(5ms, {reader(bob)}), touched(4ms), {});
    row("they become more", readWrite(0ms, {reader(alice)}), cut(5ms, {reader(bob)}), touched(4ms), {});
    row("all of them came between two reads", free(0ms), cut(5ms, {reader(alice)}), touched(4ms), {"acquired"});
    row("all of them left", cut(0ms, {reader(alice)}), free(5ms), touched(4ms, 1), {"released"});
    row("a writer came after them", cut(0ms, {reader(alice)}), readWrite(5ms, {writer(bob)}), touched(4ms, 1),
        {"released", "acquired bob write"});
    row("behind a gap", cut(0ms, {reader(alice)}), cut(5ms, {reader(bob)}), gap(4ms), {"not_watched"});
    row("gone behind a gap", cut(0ms, {reader(alice)}), free(5ms), gap(4ms), {"not_watched", "gone"});

    // Hand-overs
    row("handed over by a message", held(0ms, alice), held(5ms, bob), touched(4ms, 1), {"handed_over bob"});
    row("handed over after the lease", held(0ms, alice, 1, 100ms), held(150ms, bob), touched(120ms),
        {"handed_over bob"});
    row("handed over by a spin lock", held(0ms, alice), held(5ms, bob), touched(4ms), {"handed_over bob"});
    row("handed over, unexplained", waitedFor(held(0ms, alice)), held(5ms, bob), touched(4ms),
        {"handed_over bob suspect"});
    row("handed over, no message could have been received", held(0ms, alice), held(5ms, bob), deaf(touched(4ms)),
        {"handed_over bob"});
    row("a fair lock without a queue is released without a message", fair(0ms, {exclusive(alice)}),
        fair(5ms, {exclusive(bob)}), touched(4ms), {"handed_over bob"});
    row("a fair lock with a queue, where its message cannot be received", fair(0ms, {exclusive(alice)}, {bob}),
        fair(5ms, {exclusive(bob)}), deaf(touched(4ms)), {"handed_over bob"});
    row("a fair lock with a queue is not", fair(0ms, {exclusive(alice)}, {bob}), fair(5ms, {exclusive(carol)}, {bob}),
        touched(4ms), {"handed_over carol suspect"});

    // The same holder again
    row("given an end, which wakes its waiters", readWrite(0ms, {reader(alice)}, std::nullopt),
        readWrite(5ms, {reader(alice)}, 1000ms), touched(4ms, 1), {});
    row("released, and taken again by another reader, with an end", readWrite(0ms, {reader(alice)}, std::nullopt),
        readWrite(5ms, {reader(alice, 2)}, 1000ms), touched(4ms, 1), {"released alice read", "acquired alice read"});
    row("released and taken again", held(0ms, alice), held(5ms, alice), touched(4ms, 1),
        {"released alice", "acquired alice"});
    row("a message while nobody touched the key", held(0ms, alice, 1, 30000ms), held(5ms, alice, 1, 29995ms),
        untouched(1), {});
    row("polled: a message, and a new end", held(0ms, alice, 1, 20000ms), held(500ms, alice, 1, 30000ms), polled(1),
        {"released alice", "acquired alice"});
    row("polled: a message, and the same end", held(0ms, alice, 1, 30000ms), held(500ms, alice, 1, 29500ms), polled(1),
        {});

    // Free at both ends
    row("taken and released between the reads", free(0ms), free(5ms), touched(4ms, 1), {"released"});
    row("a message for a lock nobody touched", free(0ms), free(5ms), untouched(1), {});
    row("touched, and no message", free(0ms), free(5ms), touched(4ms), {});

    // Without messages
    row("deaf: gone in time", held(0ms, alice, 1, 100ms), free(60ms), deaf(touched(55ms)), {"gone alice"});
    row("deaf: gone after its end", held(0ms, alice, 1, 100ms), free(160ms), deaf(touched(150ms)), {"gone alice"});
    row("fair and silent", fair(0ms, {exclusive(alice)}), fair(5ms, {}), touched(4ms),
        {"released alice without a message"});
    row("fair, silent, and its messages are not received", fair(0ms, {exclusive(alice)}), fair(5ms, {}),
        deaf(touched(4ms)), {"released alice without a message"});
    row("fair, and its only waiter has given up", fair(0ms, {exclusive(alice)}, {bob}), fair(5ms, {}), touched(4ms),
        {"released alice without a message"});
    row("fair with a queue, whose messages are not received", fair(0ms, {exclusive(alice)}, {bob}),
        fair(5ms, {}, {bob}), deaf(touched(4ms)), {"released alice inferred"});
    row("fair with a queue, and its end came while messages were not received", fair(0ms, {exclusive(alice)}, {bob}),
        fair(30005ms, {}, {bob}), deaf(touched(30004ms)), {"gone alice"});
    row("fair with a queue: its lease ran out", fair(0ms, {exclusive(alice)}, {bob}), fair(30005ms, {}, {bob}),
        touched(30004ms), {"expired alice"});
    row("fair with a queue, no message", fair(0ms, {exclusive(alice)}, {bob}), fair(5ms, {}, {bob}), touched(4ms),
        {"deleted alice"});

    // Read/write
    row("a reader joins", readWrite(0ms, {reader(alice)}), readWrite(5ms, {reader(alice), reader(bob)}), touched(4ms),
        {"acquired bob read"});
    row("a reader leaves", readWrite(0ms, {reader(alice), reader(bob)}), readWrite(5ms, {reader(bob)}), touched(4ms),
        {"released alice read"});
    row("a reader holds once more", readWrite(0ms, {reader(alice), reader(bob)}),
        readWrite(5ms, {reader(alice, 2), reader(bob)}), touched(4ms), {"reentered alice read"});
    row("readers take turns without a message", readWrite(0ms, {reader(alice)}), readWrite(5ms, {reader(bob)}),
        touched(4ms), {"released alice read", "acquired bob read"});
    row("the last reader leaves", readWrite(0ms, {reader(alice)}), free(5ms, LockKind::ReadWrite), touched(4ms, 1),
        {"released alice read"});
    row("all readers expire", readWrite(0ms, {reader(alice), reader(bob)}, 100ms), free(110ms, LockKind::ReadWrite),
        touched(105ms), {"expired alice read", "expired bob read"});
    row("reader to writer", readWrite(0ms, {reader(alice)}), readWrite(5ms, {writer(bob)}), touched(4ms, 1),
        {"released alice read", "acquired bob write"});
    row("reader to writer after the lease", readWrite(0ms, {reader(alice)}, 100ms), readWrite(150ms, {writer(bob)}),
        touched(120ms), {"expired alice read", "acquired bob write"});
    row("reader to writer, unexplained", readWrite(0ms, {reader(alice)}), readWrite(5ms, {writer(bob)}), touched(4ms),
        {"handed_over bob write suspect"});
    row("the writer reads too", readWrite(0ms, {writer(alice)}), readWrite(5ms, {writer(alice), reader(alice)}),
        touched(4ms), {"acquired alice read"});
    row("the writer releases and keeps its read lock", readWrite(0ms, {writer(alice), reader(alice)}),
        readWrite(5ms, {reader(alice)}), touched(4ms), {"released alice write"});
    row("the write lock is held once more", readWrite(0ms, {writer(alice)}),
        readWrite(5ms, {writer(alice, 2)}, 60000ms), touched(4ms), {"reentered alice write"});
    row("readers renewed", readWrite(0ms, {reader(alice), reader(bob)}, 20000ms),
        readWrite(5ms, {reader(alice), reader(bob)}, 30000ms), touched(4ms), {"renewed"});
    row("read, released and read again", readWrite(0ms, {reader(alice)}), readWrite(5ms, {reader(alice)}),
        touched(4ms, 1), {"released alice read", "acquired alice read"});

    // Kinds whose fields are not known
    row("unknown: a message is about one of several values", unknown(0ms, {exclusive(alice)}),
        unknown(5ms, {exclusive(alice)}), touched(4ms, 1), {});
    row("unknown: one of two owners is gone", unknown(0ms, {exclusive(alice), exclusive(bob)}),
        unknown(5ms, {exclusive(bob)}), touched(4ms), {"gone alice"});
    row("unknown: released", unknown(0ms, {exclusive(alice)}), free(5ms), touched(4ms, 1), {"released alice"});

    // Across a gap in observation
    row("gap: the same holder", held(0ms, alice), held(60000ms, alice), gap(60000ms), {"not_watched"});
    row("gap: another count proves nothing", held(0ms, alice, 1), held(60000ms, alice, 2), gap(60000ms),
        {"not_watched"});
    row("gap: gone", held(0ms, alice, 1, 100ms), free(60000ms), gap(60000ms), {"not_watched", "gone alice"});
    row("gap: gone with TTL left", held(0ms, alice, 1, 90000ms), free(60000ms), gap(60000ms),
        {"not_watched", "gone alice"});
    row("gap: another holder is nobody's fault", held(0ms, alice, 1, 90000ms), held(60000ms, bob), gap(60000ms),
        {"not_watched", "handed_over bob"});
    row("gap: taken", free(0ms), held(60000ms, alice), gap(60000ms), {"not_watched", "acquired alice"});
    row("gap: free at both ends", free(0ms), free(60000ms), gap(60000ms), {});
    row("gap: readers changed", readWrite(0ms, {reader(alice), reader(bob)}),
        readWrite(60000ms, {reader(bob), reader(carol)}), gap(60000ms),
        {"not_watched", "gone alice read", "acquired carol read"});

    // Waiters
    row("a waiter comes", withWaiters(held(0ms, alice), 0), withWaiters(held(0ms, alice), 1), polled(), {"waiters"});
    row("the waiters leave", withWaiters(held(0ms, alice), 2), withWaiters(held(0ms, alice), 0), polled(), {"waiters"});
    row("waiters become known, and there are none", withWaiters(held(0ms, alice), std::nullopt),
        withWaiters(held(0ms, alice), 0), polled(), {});
    row("waiters become known", withWaiters(held(0ms, alice), std::nullopt), withWaiters(held(0ms, alice), 2), polled(),
        {"waiters"});
    row("waiters are no longer known", withWaiters(held(0ms, alice), 2), withWaiters(held(0ms, alice), std::nullopt),
        polled(), {});
}

void TestSnapshotCompare::claimsWhatIsProven() {
    QFETCH(const LockSnapshot, before);
    QFETCH(const LockSnapshot, after);
    QFETCH(const BetweenReads, between);
    QFETCH(const QByteArrayList, events);
    QCOMPARE(described(compareSnapshots(before, after, between).events), events);
}

void TestSnapshotCompare::aLockWhoseReleasesWereAnnouncedIsDeleted() {
    const auto compare = [](const LockSnapshot& after) {
        return described(compareSnapshots(held(0ms, alice), after, touched(4ms), ReleaseHabit::Announced).events);
    };
    QCOMPARE(compare(free(5ms)), QByteArrayList{"deleted alice"});
    QCOMPARE(compare(held(5ms, bob)), QByteArrayList{"handed_over bob suspect"});
}

void TestSnapshotCompare::saysWhatBecameOfTheHold_data() {
    QTest::addColumn<LockSnapshot>("before");
    QTest::addColumn<LockSnapshot>("after");
    QTest::addColumn<BetweenReads>("between");
    QTest::addColumn<int>("hold");
    const auto row = [](const char* name, const LockSnapshot& before, const LockSnapshot& after,
                        const BetweenReads& between, HoldChange hold) {
        QTest::newRow(name) << before << after << between << static_cast<int>(hold);
    };
    row("renewed", held(0ms, alice), held(500ms, alice), touched(499ms), HoldChange::Same);
    row("taken", free(0ms), held(500ms, alice), touched(499ms), HoldChange::New);
    row("handed over", held(0ms, alice), held(500ms, bob), touched(499ms, 1), HoldChange::New);
    row("taken again", held(0ms, alice), held(500ms, alice), touched(499ms, 1), HoldChange::New);
    row("gone", held(0ms, alice), free(500ms), touched(499ms), HoldChange::Ended);
    row("a reader leaves", readWrite(0ms, {reader(alice), reader(bob)}), readWrite(5ms, {reader(bob)}), touched(4ms),
        HoldChange::Same);
    row("all readers have changed", readWrite(0ms, {reader(alice)}), readWrite(5ms, {reader(bob)}), touched(4ms),
        HoldChange::New);
    row("gap: the lease still has the same end", held(0ms, alice, 1, 30000ms), held(500ms, alice, 1, 29500ms),
        gap(500ms), HoldChange::Same);
    row("gap: the lease has another end", held(0ms, alice, 1, 30000ms), held(500ms, alice, 1, 30000ms), gap(500ms),
        HoldChange::NotProven);
    row("gap: another holder", held(0ms, alice), held(500ms, bob), gap(500ms), HoldChange::New);
    row("gap: gone", held(0ms, alice), free(500ms), gap(500ms), HoldChange::Ended);
}

void TestSnapshotCompare::saysWhatBecameOfTheHold() {
    QFETCH(const LockSnapshot, before);
    QFETCH(const LockSnapshot, after);
    QFETCH(const BetweenReads, between);
    QFETCH(const int, hold);
    QCOMPARE(static_cast<int>(compareSnapshots(before, after, between).hold), hold);
}

void TestSnapshotCompare::tellsExpiredFromAnEarlierEndToTheMillisecond_data() {
    QTest::addColumn<int>("goneAfterMs");
    QTest::addColumn<QByteArray>("event");
    // The read at 0 ms was sent 1 ms before its answer came: a TTL of 100 ms may end from 99 ms on.
    // That it was not its lease is only reported if the read itself comes before that, here 1 ms after the push.
    QTest::newRow("just before it could end") << 97 << QByteArray("released alice without a message");
    QTest::newRow("as soon as it could end") << 99 << QByteArray("expired alice");
    QTest::newRow("later") << 101 << QByteArray("expired alice");
}

void TestSnapshotCompare::tellsExpiredFromAnEarlierEndToTheMillisecond() {
    QFETCH(const int, goneAfterMs);
    QFETCH(const QByteArray, event);
    const LockSnapshot before = held(0ms, alice, 1, 100ms);
    const Milliseconds at(goneAfterMs);
    QCOMPARE(described(compareSnapshots(before, free(at), polled()).events), QByteArrayList{event});
    QCOMPARE(described(compareSnapshots(before, free(at + 1ms), touched(at)).events), QByteArrayList{event});
}

void TestSnapshotCompare::eventsCarryTheLaterReadAndItsTime() {
    const LockSnapshot after = held(5ms, alice, 2);
    const Comparison comparison = compareSnapshots(held(0ms, alice), after, touched(4ms));
    QCOMPARE(comparison.events.size(), size_t{1});
    const LockEvent& event = comparison.events.front();
    QCOMPARE(event.at, after.seenAtWall);
    QCOMPARE(event.lock.name, after.name);
    QCOMPARE(event.lock.holders, after.holders);
    QCOMPARE(event.holder->count, qint64{2});
}

void TestSnapshotCompare::theGapIsInItsEvent() {
    const Comparison comparison = compareSnapshots(held(0ms, alice), held(700ms, alice), gap(650ms));
    QCOMPARE(comparison.events.front().type, EventType::NotWatched);
    QCOMPARE(comparison.events.front().gap, Milliseconds(650));
}

LOCKKEEPER_TEST(TestSnapshotCompare, Guiless)

}  // namespace tst_snapshotcompare

#include "tst_snapshotcompare.moc"
