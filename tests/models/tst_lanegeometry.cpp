// SPDX-License-Identifier: Apache-2.0
#include "support/dice.h"
#include "support/lanestory.h"
#include "support/testprogram.h"
#include "ui/timeline/lanegeometry.h"

#include <QTest>

#include <map>
#include <set>

namespace tst_lanegeometry {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const TimeRange tenSeconds{laneStart, laneStart + 10s};  // with 100 columns: 100 ms each
constexpr int width = 100;

TimelineHistory historyOf(const EventStory& story) {
    TimelineHistory history;
    history.append(story.events());
    return history;
}

LaneGeometry geometryOf(const TimelineHistory& history, const TimeRange& range = tenSeconds,
                        WallTime now = laneStart + 8s) {
    return layOut(*history.lane(lockName("L")), history.gaps(now), range, now, width);
}
LaneGeometry geometryOf(const EventStory& story, const TimeRange& range = tenSeconds) {
    return geometryOf(historyOf(story), range);
}

// "0-49 8f14, 50-79 c9f0 open"
QString barsOf(const LaneGeometry& lane) {
    QStringList words;
    for (const Bar& bar : lane.bars)
        words << QStringLiteral("%1-%2 %3")
                         .arg(bar.columns.left)
                         .arg(bar.columns.right)
                         .arg(bar.holds > 1 ? QStringLiteral("x%1").arg(bar.holds)
                                            : QString::fromLatin1(bar.first.holder.client().bytes().left(4))) +
                     (bar.isOpen ? QStringLiteral(" open") : QString());
    return words.join(QStringLiteral(", "));
}

QString gapsOf(const LaneGeometry& lane) {
    QStringList words;
    for (const Columns& gap : lane.gaps)
        words << QStringLiteral("%1-%2").arg(gap.left).arg(gap.right);
    return words.join(QStringLiteral(", "));
}

QString overdueOf(const LaneGeometry& lane) {
    QStringList words;
    for (const Columns& late : lane.overdue)
        words << QStringLiteral("%1-%2").arg(late.left).arg(late.right);
    return words.join(QStringLiteral(", "));
}

double leaseAt(const LaneGeometry& lane, int column) {
    for (const Stroke& stroke : lane.lease) {
        if (stroke.column == column)
            return stroke.high * static_cast<double>(lane.longestLease.count());
    }
    return -1;
}

// 20,000 events in 100 s: acquire, share, renew, release and wait.
TimelineHistory busyHistory() {
    Dice dice(4711);
    EventStory events = story();
    QList<monitor::Holder> holders;
    for (int i = 0; i < 20'000; ++i) {
        const Milliseconds at(5 * i);
        const int what = static_cast<int>(dice.below(4));
        if (what == 0 && holders.size() < 6) {
            holders.append(holder(clientA, i));
            events.event(EventType::Acquired, at, holders);
        } else if (what == 1 && !holders.isEmpty()) {
            const monitor::Holder left = holders.takeFirst();
            events.ends(EventType::Released, at, left, holders);
        } else if (what == 2 && !holders.isEmpty()) {
            events.event(EventType::Renewed, at, holders, Milliseconds(static_cast<int>(dice.below(30000))));
        } else {
            events.waiters(at, static_cast<int>(dice.below(9)));
        }
    }
    return historyOf(events);
}

}  // namespace

class TestLaneGeometry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A lease of two seconds is renewed each 667 ms; after 867 ms it is late, as the diagnosis says.
    void shadesAnOverdueRenewal_data() {
        QTest::addColumn<std::vector<monitor::LockEvent>>("events");
        QTest::addColumn<QString>("overdue");
        const auto row = [](const char* name, const EventStory& story, const char* overdue) {
            QTest::newRow(name) << story.events() << QString::fromLatin1(overdue);
        };
        const auto held = [] { return story().event(EventType::Acquired, 1s, {alice}, 2s); };
        row("never renewed: perhaps a fixed lease", held(), "");
        row("renewed in time",
            held()
                .event(EventType::Renewed, 2s, {alice}, 2s)
                .event(EventType::Renewed, 2700ms, {alice}, 2s)
                .ends(EventType::Released, 3s, alice),
            "");
        row("late, then renewed",
            held()
                .event(EventType::Renewed, 2s, {alice}, 2s)
                .event(EventType::Renewed, 4s, {alice}, 2s)
                .ends(EventType::Released, 4500ms, alice),
            "28-40");
        row("late, until it expired",
            held().event(EventType::Renewed, 2s, {alice}, 2s).ends(EventType::Expired, 4s, alice), "28-40");
        row("late, up to the present", held().event(EventType::Renewed, 2s, {alice}, 10s), "63-80");
        row("waiters change nothing",
            held().event(EventType::Renewed, 2s, {alice}, 2s).waiters(3500ms, 2).ends(EventType::Expired, 4s, alice),
            "28-40");
        row("released in time",
            held().event(EventType::Renewed, 2s, {alice}, 2s).ends(EventType::Released, 2500ms, alice), "");
    }
    void shadesAnOverdueRenewal() {
        QFETCH(const std::vector<monitor::LockEvent>, events);
        TimelineHistory history;
        history.append(events);
        QTEST(overdueOf(geometryOf(history)), "overdue");
    }

    void drawsHoldsAsBars_data() {
        QTest::addColumn<std::vector<monitor::LockEvent>>("events");
        QTest::addColumn<QString>("bars");
        QTest::addColumn<QString>("gaps");
        QTest::newRow("nothing happened") << story().waiters(1s, 0).events() << QString() << QString();
        QTest::newRow("one that ended, one that goes on to the present")
            << story().event(EventType::Acquired, 0ms, {alice}).event(EventType::HandedOver, 5s, {bob}).events()
            << QStringLiteral("0-50 8f14, 51-80 c9f0 open") << QString();
        QTest::newRow("begun before the range and ended behind it")
            << story().event(EventType::Acquired, -60s, {alice}).ends(EventType::Released, 60s, alice).events()
            << QStringLiteral("0-99 8f14") << QString();
        QTest::newRow("before the range")
            << story().event(EventType::Acquired, -60s, {alice}).ends(EventType::Released, -50s, alice).events()
            << QString() << QString();
        QTest::newRow("shorter than a column, and still seen")
            << story().event(EventType::Acquired, 2s, {alice}).ends(EventType::Released, 2001ms, alice).events()
            << QStringLiteral("20-20 8f14") << QString();
        QTest::newRow("too short to be told apart") << story()
                                                           .event(EventType::Acquired, 2s, {alice})
                                                           .event(EventType::HandedOver, 2020ms, {bob})
                                                           .event(EventType::HandedOver, 2040ms, {alice})
                                                           .ends(EventType::Released, 2110ms, alice)
                                                           .events()
                                                    << QStringLiteral("20-21 x3") << QString();
        QTest::newRow("never through a gap")
            << story().event(EventType::Acquired, 0ms, {alice}).gap(6s, 3s, {alice}).events()
            << QStringLiteral("0-29 8f14, 61-80 8f14 open") << QStringLiteral("30-60");
        QTest::newRow("held already when it was found: not known before")
            << story().event(EventType::Found, 2s, {alice}).events() << QStringLiteral("21-80 8f14 open")
            << QStringLiteral("0-20");
        QTest::newRow("gaps that touch are one")
            << story().event(EventType::Acquired, 0ms, {alice}).gap(3s, 1s, {alice}).gap(4s, 1s, {alice}).events()
            << QStringLiteral("0-19 8f14, 41-80 8f14 open") << QStringLiteral("20-40");
        QTest::newRow("a gap that ends behind the range")
            << story().event(EventType::Acquired, 0ms, {alice}).gap(20s, 14s, {alice}).events()
            << QStringLiteral("0-59 8f14") << QStringLiteral("60-99");
    }
    void drawsHoldsAsBars() {
        QFETCH(const std::vector<monitor::LockEvent>, events);
        TimelineHistory history;
        history.append(events);
        const LaneGeometry lane = geometryOf(history);
        QTEST(barsOf(lane), "bars");
        QTEST(gapsOf(lane), "gaps");
    }

    void drawsNothingThroughTheTimeWithoutAConnection() {
        TimelineHistory history = historyOf(story().event(EventType::Acquired, 0ms, {alice}));
        history.interrupt(laneStart + 3s);
        const LaneGeometry lane = geometryOf(history);
        QCOMPARE(barsOf(lane), QStringLiteral("0-29 8f14"));
        QCOMPARE(gapsOf(lane), QStringLiteral("30-80"));
        QCOMPARE(leaseAt(lane, 40), -1.0);
        QVERIFY(leaseAt(lane, 20) > 0);
    }

    // Another run of the program has seen the lock, or it was deleted meanwhile.
    void whatWasHeldBeforeAnInterruptionIsNotKnownUntilItIsSeenAgain_data() {
        QTest::addColumn<bool>("isFound");
        QTest::addColumn<QString>("bars");
        QTest::addColumn<QString>("gaps");
        QTest::newRow("never") << false << QStringLiteral("0-29 8f14") << QStringLiteral("30-80");
        QTest::newRow("found later") << true << QStringLiteral("0-29 8f14, 61-80 8f14 open") << QStringLiteral("30-60");
    }
    void whatWasHeldBeforeAnInterruptionIsNotKnownUntilItIsSeenAgain() {
        QFETCH(const bool, isFound);
        TimelineHistory history = historyOf(story().event(EventType::Acquired, 0ms, {alice}, 60s));
        history.interrupt(laneStart + 3s);
        history.resume(laneStart + 4s);
        if (isFound)
            history.append(story().event(EventType::Found, 6s, {alice}, 60s).events());
        const LaneGeometry lane = geometryOf(history);
        QTEST(barsOf(lane), "bars");
        QTEST(gapsOf(lane), "gaps");
        QCOMPARE(leaseAt(lane, 50), -1.0);
    }

    void drawsNothingOfALockAfterItsNodeIsLost() {
        TimelineHistory history = historyOf(story().event(EventType::Acquired, 0ms, {alice}, 60s).waiters(1s, 2));
        history.interrupt(lockName("L"), laneStart + 3s);
        const LaneGeometry lane = geometryOf(history);
        QCOMPARE(barsOf(lane), QStringLiteral("0-29 8f14"));
        QCOMPARE(gapsOf(lane), QStringLiteral("30-80"));
        QVERIFY(leaseAt(lane, 20) > 0);
        QCOMPARE(leaseAt(lane, 40), -1.0);
        QCOMPARE(lane.waiters.back().column, 29);
    }

    void drawsTheLeaseAsASawtooth() {
        const LaneGeometry lane = geometryOf(story()
                                                 .event(EventType::Acquired, 0ms, {alice}, 6s)
                                                 .event(EventType::Renewed, 4s, {alice}, 6s)
                                                 .ends(EventType::Released, 7s, alice));
        QCOMPARE(lane.longestLease, Milliseconds(6s));
        QCOMPARE(leaseAt(lane, 0), 6000.0);
        QCOMPARE(leaseAt(lane, 20), 4000.0);
        QCOMPARE(leaseAt(lane, 39), 2100.0);
        QCOMPARE(leaseAt(lane, 40), 6000.0);  // the lease is longer again
        QCOMPARE(leaseAt(lane, 69), 3100.0);
        QCOMPARE(leaseAt(lane, 71), -1.0);
    }

    void aLeaseThatHasRunOutStaysAtNothing() {
        const LaneGeometry lane = geometryOf(story().event(EventType::Acquired, 0ms, {alice}, 2s));
        QCOMPARE(leaseAt(lane, 50), 0.0);
    }

    void drawsWaitersAsSteps() {
        const LaneGeometry lane =
            geometryOf(story().event(EventType::Acquired, 0ms, {alice}).waiters(2s, 4).waiters(5s, 1));
        QCOMPARE(lane.mostWaiters, 4);
        QCOMPARE(lane.waiters.front().column, 20);
        QCOMPARE(lane.waiters.front().high, 1.0);
        QCOMPARE(lane.waiters.back().column, 80);
        QCOMPARE(lane.waiters.back().high, 0.25);
    }

    void marksOneAColumnAndKind() {
        EventStory events = story();
        for (int i = 0; i < 50; ++i)
            events.event(EventType::Renewed, 2s + Milliseconds(i), {alice});
        events.ends(EventType::Expired, 2s + 60ms, alice);
        const LaneGeometry lane = geometryOf(events);
        QCOMPARE(lane.marks.size(), size_t(2));
        QCOMPARE(lane.marks[0].events, 50);
        QCOMPARE(lane.marks[0].last.at, laneStart + 2049ms);
        QCOMPARE(lane.marks[1].kind, MarkKind::Lost);
    }

    void findsTheGravestOfTheNearestMarks() {
        const LaneGeometry lane = geometryOf(story()
                                                 .event(EventType::Acquired, 2s, {alice})
                                                 .event(EventType::Renewed, 4s, {alice})
                                                 .ends(EventType::Expired, 4s, alice));
        QCOMPARE(markAt(lane, 41, 5)->kind, MarkKind::Lost);
        QCOMPARE(markAt(lane, 22, 5)->kind, MarkKind::Taken);
        QVERIFY(!markAt(lane, 30, 5));
    }

    void findsABarByColumnAndTrack() {
        const LaneGeometry lane =
            geometryOf(story().event(EventType::Acquired, 0ms, {alice}).event(EventType::Acquired, 3s, {alice, bob}));
        QCOMPARE(lane.tracks, 2);
        QCOMPARE(barAt(lane, 40, 0)->first.holder, alice.id);
        QCOMPARE(barAt(lane, 40, 1)->first.holder, bob.id);
        QVERIFY(!barAt(lane, 20, 1));
        QVERIFY(!barAt(lane, 90, 0));
    }

    void hasNoColumnsHasNothing() {
        const TimelineHistory history = historyOf(story().event(EventType::Acquired, 0ms, {alice}));
        QVERIFY(layOut(*history.lane(lockName("L")), {}, tenSeconds, laneStart, 0).bars.empty());
    }

    void isBoundedByItsColumnsWhateverHappened_data() {
        QTest::addColumn<Milliseconds>("length");
        QTest::newRow("all of it") << Milliseconds(100'000);
        QTest::newRow("the first tenth") << Milliseconds(10'000);
        QTest::newRow("a moment") << Milliseconds(50);
    }
    void isBoundedByItsColumnsWhateverHappened() {
        QFETCH(const Milliseconds, length);
        static const TimelineHistory history = busyHistory();
        const LaneGeometry lane = geometryOf(history, {laneStart, laneStart + length}, laneStart + 100s);
        std::map<int, std::set<int>> columnsOfTrack;
        for (const Bar& bar : lane.bars) {
            for (int column = bar.columns.left; column <= bar.columns.right; ++column)
                QVERIFY(columnsOfTrack[bar.track].insert(column).second);
        }
        std::set<std::pair<int, MarkKind>> marks;
        for (const Mark& mark : lane.marks)
            QVERIFY(marks.insert({mark.column, mark.kind}).second);
        QVERIFY(!lane.bars.empty() && !lane.marks.empty());
        QVERIFY(lane.lease.size() <= size_t(width));
        QVERIFY(lane.waiters.size() <= size_t(width));
    }
};

LOCKKEEPER_TEST(TestLaneGeometry, Guiless)

}  // namespace tst_lanegeometry

#include "tst_lanegeometry.moc"
