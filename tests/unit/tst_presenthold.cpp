// SPDX-License-Identifier: Apache-2.0
#include "support/lockstory.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_presenthold {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

PresentHold after(const LockStory& story) {
    return story.history().hold;
}

// The hold is renewed once, and then a second reader joins.
LockStory joined() {
    return LockStory(free(0s))
        .changed(readWrite(1s, {reader(alice)}, 40s))
        .changed(readWrite(21s, {reader(alice)}, 30s))
        .changed(readWrite(22s, {reader(alice), reader(bob)}, 30s));
}

}  // namespace

class TestPresentHold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsWhetherItsBeginWasSeen() {
        QVERIFY(!after(LockStory(held(5s, alice))).unbroken.isBeginSeen());
        const Hold seen = after(LockStory(free(0s)).changed(held(5s, alice))).unbroken;
        QVERIFY(seen.isBeginSeen());
        QCOMPARE(seen.since, at(5s));
    }

    void countsRenewalsAndWhatTheySet() {
        const PresentHold hold = after(
            LockStory(held(0s, alice, 1, 20s)).changed(held(5s, alice, 1, 30s)).changed(held(15s, alice, 1, 29s)));
        QCOMPARE(hold.unbroken.renewals, 2U);
        QCOMPARE(hold.unbroken.lastRenewal, at(15s));
        QCOMPARE(hold.unbroken.peakTtl, 30s);
        QCOMPARE(hold.renewedTo, 29s);
    }

    // A view draws the last beats of a watchdog.
    void knowsTheLastFourRenewals() {
        LockStory story(held(0s, alice, 1, 30s));
        for (const auto& [time, earlier] :
             {std::pair(10s, std::array{0, 0, 0}), std::pair(20s, std::array{10, 0, 0}),
              std::pair(31s, std::array{11, 21, 0}), std::pair(40s, std::array{9, 20, 30}),
              std::pair(50s, std::array{10, 19, 30})}) {
            story.changed(held(time - 1ms, alice, 1, 15s)).changed(held(time, alice, 1, 30s));
            const Hold hold = after(story).unbroken;
            QCOMPARE(hold.lastRenewal, at(time));
            for (size_t i = 0; i < earlier.size(); ++i)
                QCOMPARE(Milliseconds(hold.earlierRenewals.at(i)).count(), 1000LL * earlier.at(i));
        }
    }

    void reentryIsNoRenewal() {
        const PresentHold hold = after(LockStory(held(0s, alice, 1, 20s)).changed(held(5s, alice, 2, 30s)));
        QCOMPARE(hold.unbroken.renewals, 0U);
        QCOMPARE(hold.stepsUp, 1);
        QVERIFY(!hold.steppedDown);
    }

    // It is not known whose lease the TTL is now, so nothing that was seen before says anything about the present
    // holders.
    void provesNothingAboutOtherHoldersThanThoseItSaw() {
        const Hold unbroken = after(joined()).unbroken;
        QCOMPARE(unbroken.since, at(22s));
        QVERIFY(!unbroken.isBeginSeen());
        QCOMPARE(unbroken.renewals, 0U);
        QCOMPARE(unbroken.peakTtl, 30s);
    }

    void isShownAsOneHoldWhileReadersJoinAndLeave() {
        const Hold whole = after(joined()
                                     .changed(readWrite(32s, {reader(alice), reader(bob)}, 30s))
                                     .changed(readWrite(33s, {reader(bob)}, 29s), 1))
                               .whole();
        QCOMPARE(whole.since, at(1s));
        QCOMPARE(whole.sinceWall, WallTime(1s));
        QVERIFY(whole.isBeginSeen());
        QCOMPARE(whole.renewals, 2U);
        QCOMPARE(whole.lastRenewal, at(32s));
        QCOMPARE(whole.peakTtl, 40s);
    }

    void theOrderOfTheHoldersMeansNothing() {
        const PresentHold hold = after(LockStory(readWrite(0s, {reader(alice), reader(bob)}, 20s))
                                           .changed(readWrite(1s, {reader(bob), reader(alice)}, 30s)));
        QCOMPARE(hold.unbroken.since, at(0s));
        QCOMPARE(hold.unbroken.renewals, 1U);
    }

    void isShownAsOneHoldAcrossAGapInWhichItsLeaseRan() {
        const PresentHold hold = after(LockStory(free(0s))
                                           .changed(held(1s, alice, 1, 20s))
                                           .changed(held(5s, alice, 1, 30s))
                                           .gap(held(10s, alice, 1, 25s)));
        QCOMPARE(hold.whole().since, at(1s));
        QCOMPARE(hold.whole().renewals, 1U);
        QCOMPARE(hold.whole().lastRenewal, at(5s));
        QCOMPARE(hold.unbroken.since, at(10s));
        QCOMPARE(hold.unbroken.renewals, 0U);
    }

    void beginsAgainAfterAGapThatMayHideARelease() {
        const PresentHold hold =
            after(LockStory(free(0s)).changed(held(1s, alice, 1, 20s)).gap(held(10s, alice, 1, 30s)));
        QCOMPARE(hold.whole().since, at(10s));
        QVERIFY(!hold.whole().isBeginSeen());
    }

    void remembersThatTheSameWasSeenBeforeAGap() {
        LockStory story(free(0s));
        story.changed(held(1s, alice, 1, 20s)).gap(held(10s, alice, 1, 30s));
        QCOMPARE(after(story).whole().seenBefore, Rare(SeenBefore{WallTime(1s), WallTime(9500ms), WallTime(10s), 1}));
        story.changed(held(15s, alice, 1, 30s)).gap(held(20s, alice, 1, 25s));  // the lease that ran before the gap
        QCOMPARE(after(story).whole().seenBefore, Rare(SeenBefore{WallTime(1s), WallTime(9500ms), WallTime(10s), 1}));
        story.gap(held(40s, alice, 1, 30s));
        QCOMPARE(after(story).whole().seenBefore, Rare(SeenBefore{WallTime(1s), WallTime(9500ms), WallTime(40s), 2}));
        story.changed(held(41s, bob), 1);
        QVERIFY(!after(story).whole().seenBefore);
    }

    void whatContradictsIsNotTheSame_data() {
        QTest::addColumn<LockSnapshot>("now");
        LockSnapshot token = held(10s, alice, 1, 30s);
        token.token = 8;
        QTest::newRow("another holder") << held(10s, bob, 1, 30s);
        QTest::newRow("another count") << held(10s, alice, 2, 30s);
        QTest::newRow("another token") << token;
        QTest::newRow("free") << free(10s);
    }
    void whatContradictsIsNotTheSame() {
        QFETCH(const LockSnapshot, now);
        const PresentHold hold = after(LockStory(free(0s)).changed(held(1s, alice, 1, 20s)).gap(now));
        QVERIFY(!now.isHeld() || !hold.whole().seenBefore);
    }
};

LOCKKEEPER_TEST(TestPresentHold, Guiless)

}  // namespace tst_presenthold

#include "tst_presenthold.moc"
