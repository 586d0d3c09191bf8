// SPDX-License-Identifier: Apache-2.0
#include "support/lockstory.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockhistory {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a history keeps of the reads; tst_diagnose tests what is concluded from it.
class TestLockHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameMomentHasOneDate() {
        LockSnapshot later = held(20s, alice, 1, 30s);
        later.seenAtWall += 300ms;  // the two clocks differ a little
        LockStory story = LockStory(held(0s, alice)).changed(held(10s, alice));
        const WallTime before = story.history().wallTime(at(10s));
        story.changed(later);
        QCOMPARE(story.history().wallTime(at(10s)), before);
        LockSnapshot afterItWasSet = held(30s, alice);
        afterItWasSet.seenAtWall += 1h;
        story.changed(afterItWasSet);
        QCOMPARE(story.history().wallTime(at(30s)), WallTime(30s + 1h));
    }

    void learnsFromHoldsSeenFromBeginToEnd() {
        LockStory story(held(0s, alice));
        story.changed(free(10s), 1);
        QCOMPARE(story.history().past().holdTimes.count(), 0);
        story.changed(held(20s, bob)).changed(free(20s + 250ms), 1);
        QCOMPARE(story.history().past().holdTimes.count(), 1);
        QCOMPARE(story.history().past().holdTimes.median(), 250ms);
    }

    void learnsFromAHoldThatWasHandedOver() {
        const LockHistory history =
            LockStory(free(0s)).changed(held(1s, alice)).changed(held(3s, bob), 1).changed(held(4s, bob, 2)).history();
        QCOMPARE(history.past().holdTimes.median(), 2s);
        QCOMPARE(history.hold.unbroken.since, at(3s));
        QVERIFY(history.hold.unbroken.isBeginSeen());
    }

    void knowsHowTheLastHoldEnded_data() {
        QTest::addColumn<LockStory>("story");
        QTest::addColumn<int>("how");
        QTest::addColumn<int>("released");
        QTest::addColumn<int>("silent");
        const auto row = [](const char* name, const LockStory& story, EventType how, int released, int silent) {
            QTest::newRow(name) << story << int(how) << released << silent;
        };
        const LockStory taken = LockStory(free(0s)).changed(held(1s, alice, 1, 10s));
        LockStory announced(free(-10s));
        for (const Milliseconds begin : {-9s, -7s, -5s})
            announced.changed(held(begin, bob)).changed(free(begin + 1s), 1);
        announced.changed(held(1s, alice, 1, 10s));
        row("with a message", LockStory(taken).changed(free(2s), 1), EventType::Released, 1, 0);
        row("with time left", LockStory(taken).changed(free(2s)), EventType::Released, 1, 1);
        row("with time left, and its releases were announced", LockStory(announced).changed(free(2s)),
            EventType::Deleted, 3, 1);
        row("run out", LockStory(taken).changed(free(11s + 2ms)), EventType::Expired, 0, 0);
        row("no message could have been received", LockStory(taken).missingMessages(free(2s)), EventType::Gone, 0, 0);
        row("handed over with a message", LockStory(taken).changed(held(2s, bob), 1), EventType::Released, 1, 0);
        row("run out, and another took it", LockStory(taken).changed(held(11s + 2ms, bob)), EventType::Expired, 0, 0);
        row("another without a reason", LockStory(taken).changed(held(2s, bob)), EventType::Released, 1, 1);
        row("released and taken by the same", LockStory(taken).changed(held(2s, alice), 1), EventType::Released, 1, 0);
    }
    void knowsHowTheLastHoldEnded() {
        QFETCH(LockStory, story);
        QFETCH(int, how);
        QTEST(int(story.history().past().released), "released");
        QTEST(int(story.history().past().silentEnds), "silent");
        const std::optional<LockHistory::EndedHold>& last = story.history().past().lastHold;
        QVERIFY(last);
        QCOMPARE(int(last->how), how);
        QCOMPARE(last->holder->id, alice);
        QCOMPARE(last->hold.since, at(1s));
        QCOMPARE(last->hold.peakTtl, 10s);
    }

    void learnsThatReleasesAreAnnounced_data() {
        QTest::addColumn<int>("announced");
        QTest::addColumn<int>("silent");
        QTest::addColumn<bool>("isHabit");
        QTest::newRow("a plain lock") << 3 << 0 << true;
        QTest::newRow("a plain lock that was deleted once") << 6 << 1 << true;
        QTest::newRow("too few to know") << 2 << 0 << false;
        QTest::newRow("a spin lock") << 0 << 3 << false;
        QTest::newRow("the name of a plain lock and of a spin lock") << 5 << 5 << false;
    }
    void learnsThatReleasesAreAnnounced() {
        QFETCH(int, announced);
        QFETCH(int, silent);
        LockStory story(free(0s));
        for (int i = 1; i <= announced + silent; ++i)
            story.changed(held(i * 1s, alice)).changed(free(i * 1s + 100ms), i <= announced ? 1 : 0);
        QTEST(story.history().releaseHabit() == ReleaseHabit::Announced, "isHabit");
    }

    void aReaderThatJoinsEndsNoHold() {
        const LockHistory history = LockStory(readWrite(0s, {reader(alice)}, 20s))
                                        .changed(readWrite(1s, {reader(alice), reader(bob)}, 30s))
                                        .history();
        QVERIFY(!history.past().lastHold);
    }

    void beginsAgainAfterAGap() {
        LockStory story = LockStory(free(0s)).changed(held(1s, alice)).changed(free(2s), 1).changed(held(3s, bob));
        story.counted(4s, {2, {carol}}).changed(held(5s, bob)).gap(held(6s, bob));
        const LockHistory& history = story.history();
        QVERIFY(!history.hold.unbroken.isBeginSeen());
        QCOMPARE(history.hold.unbroken.since, at(6s));
        QCOMPARE(history.past().holdTimes.count(), 0);
        QCOMPARE(history.past().released, quint64{0});
        QVERIFY(!history.past().lastHold);
        QVERIFY(history.countedAt == LockHistory::notCounted);
        QVERIFY(!history.past().stray);
    }

    void isFreeSinceNobodyCanHaveHadIt() {
        LockStory story = LockStory(held(0s, alice)).changed(free(10s), 1);
        QCOMPARE(story.history().freeSince, at(10s));
        story.again(free(12s));
        QCOMPARE(story.history().freeSince, at(10s));
        story.changed(free(14s));
        QCOMPARE(story.history().freeSince, at(14s));
        story.then(free(16s), BetweenReads());  // polled, and a release message would have arrived
        QCOMPARE(story.history().freeSince, at(14s));
    }

    void whoIsMissingInAQueueThatWasNotReadToItsEndIsNoStray() {
        LockSnapshot lock = snapshot(0s, LockKind::Fair, {exclusive(alice)}, 30s);
        lock.fairQueue = {FairWaiter{bob, std::nullopt}};
        lock.waiters = 1;
        QVERIFY(LockStory(lock).counted(1s, {1, {carol}}).history().past().stray);
        lock.waiters = 150;
        QVERIFY(!LockStory(lock).counted(1s, {1, {carol}}).history().past().stray);
    }

    void followsOneStrayWaiterAtATime() {
        LockStory story(held(0s, alice));
        story.counted(1s, {3, {alice, bob, carol}});
        QCOMPARE(story.history().past().stray->id, bob);  // alice holds it
        story.counted(2s, {2, {carol, bob}});
        QCOMPARE(story.history().past().stray->id, bob);
        QCOMPARE(story.history().past().stray->since, at(1s));
        story.counted(3s, {1, {carol}});
        QCOMPARE(story.history().past().stray->id, carol);
        QCOMPARE(story.history().past().stray->since, at(3s));
        story.changed(held(4s, carol), 1);
        QVERIFY(!story.history().past().stray);
        story.counted(5s, {0, {}});
        QVERIFY(!story.history().past().stray);
    }
};

LOCKKEEPER_TEST(TestLockHistory, Guiless)

}  // namespace tst_lockhistory

#include "tst_lockhistory.moc"
