// SPDX-License-Identifier: Apache-2.0
#include "support/lanestory.h"
#include "support/testprogram.h"
#include "ui/timeline/timelinehistory.h"

#include <QTest>

namespace tst_timelinehistory {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

// "8f14 0..5000, c9f0 5000.." : who held it from when to when, in milliseconds. Brackets: that end was not observed.
QString wordsFor(const LaneHistory& lane) {
    QStringList words;
    const auto ms = [](WallTime time) {
        return QString::number(std::chrono::duration_cast<Milliseconds>(time - laneStart).count());
    };
    const auto mark = [](const QString& text, Seen seen) {
        return seen == Seen::Yes ? text : QLatin1Char('(') + text + QLatin1Char(')');
    };
    const auto name = [](const Hold& hold) { return QString::fromLatin1(hold.holder.client().bytes().left(4)); };
    for (const Hold& hold : lane.ended)
        words << name(hold) + QLatin1Char(' ') + mark(ms(hold.from), hold.begin) + QStringLiteral("..") +
                     mark(ms(hold.to), hold.end);
    for (const Hold& hold : lane.open)
        words << name(hold) + QLatin1Char(' ') + mark(ms(hold.from), hold.begin) + QStringLiteral("..");
    return words.join(QStringLiteral(", "));
}

}  // namespace

class TestTimelineHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsTheMomentsOfATime() {
        TimelineHistory history;
        history.append(EventStory("A", laneStart).event(EventType::Acquired, 0s, {alice}).events());
        history.append(EventStory("B", laneStart).event(EventType::Acquired, 1s, {bob}).events());
        history.append(EventStory("A", laneStart)
                           .event(EventType::Renewed, 2s, {alice})
                           .ends(EventType::Released, 3s, alice)
                           .events());
        // The clock is set back by a minute: new locks start at the earlier time, known ones stay in order.
        history.append(EventStory("C", laneStart - 1min).event(EventType::Acquired, 4s, {alice}).events());
        history.append(EventStory("B", laneStart - 1min).event(EventType::Renewed, 5s, {bob}).events());
        history.append(EventStory("D", laneStart)
                           .event(EventType::Found, 4s, {alice})
                           .event(EventType::Renewed, 5s, {alice})
                           .events());
        const auto between = [&](Milliseconds from, Milliseconds to) {
            std::map<QByteArray, qsizetype> counts;
            const auto moments = history.momentsBetween(laneStart + from, laneStart + to);
            for (auto lane = moments.begin(); lane != moments.end(); ++lane)
                counts[lane.key()->bytes()] = lane.value();
            return counts;
        };
        using Counts = std::map<QByteArray, qsizetype>;
        QCOMPARE(between(0s, 10s), (Counts{{"A", 3}, {"B", 2}, {"D", 1}}));
        QCOMPARE(between(1s, 3s), (Counts{{"A", 1}, {"B", 2}}));
        QCOMPARE(between(-1min, -50s), (Counts{{"C", 1}}));
        QCOMPARE(between(10s, 20s), Counts());
    }

    void tellsWhoHeldItFromWhenToWhen_data() {
        QTest::addColumn<std::vector<monitor::LockEvent>>("events");
        QTest::addColumn<QString>("holds");
        QTest::newRow("taken and released")
            << story().event(EventType::Acquired, 0ms, {alice}).ends(EventType::Released, 5s, alice).events()
            << QStringLiteral("8f14 0..5000");
        QTest::newRow("held at the first read")
            << story().event(EventType::Found, 1s, {alice}).events() << QStringLiteral("8f14 (1000)..");
        QTest::newRow("held by two at the first read, and then by a third")
            << story()
                   .event(EventType::Found, 1s, {alice, bob})
                   .event(EventType::Acquired, 2s, {alice, bob, holder(clientA, 50)})
                   .ends(EventType::Released, 3s, alice, {bob, holder(clientA, 50)})
                   .events()
            << QStringLiteral("8f14 (1000)..3000, c9f0 (1000).., 8f14 2000..");
        QTest::newRow("free at the first read")
            << story().event(EventType::Found, 1s, {}).event(EventType::Acquired, 2s, {alice}).events()
            << QStringLiteral("8f14 2000..");
        QTest::newRow("handed over")
            << story().event(EventType::Acquired, 0ms, {alice}).event(EventType::HandedOver, 2s, {bob}).events()
            << QStringLiteral("8f14 0..2000, c9f0 2000..");
        QTest::newRow("released and taken again by the same holder between two reads")
            << story()
                   .event(EventType::Acquired, 0ms, {alice})
                   .ends(EventType::Released, 3s, alice, {alice})
                   .event(EventType::Acquired, 3s, {alice})
                   .events()
            << QStringLiteral("8f14 0..3000, 8f14 3000..");
        QTest::newRow("a reader leaves, another stays") << story()
                                                               .event(EventType::Acquired, 0ms, {alice})
                                                               .event(EventType::Acquired, 1s, {alice, bob})
                                                               .ends(EventType::Released, 2s, alice, {bob})
                                                               .events()
                                                        << QStringLiteral("8f14 0..2000, c9f0 1000..");
        QTest::newRow("a gap splits a hold, though the holder is the same behind it")
            << story().event(EventType::Acquired, 0ms, {alice}).gap(10s, 4s, {alice}).events()
            << QStringLiteral("8f14 0..(6000), 8f14 (10000)..");
        QTest::newRow("gone in a gap") << story()
                                              .event(EventType::Acquired, 0ms, {alice})
                                              .gap(10s, 4s, {})
                                              .ends(EventType::Gone, 10s, alice)
                                              .events()
                                       << QStringLiteral("8f14 0..(6000)");
        QTest::newRow("another one behind the gap") << story()
                                                           .event(EventType::Acquired, 0ms, {alice})
                                                           .gap(10s, 4s, {bob})
                                                           .event(EventType::HandedOver, 10s, {bob})
                                                           .events()
                                                    << QStringLiteral("8f14 0..(6000), c9f0 (10000)..");
        QTest::newRow("the clock is set back: nothing ends before it began")
            << story().event(EventType::Acquired, 5s, {alice}).ends(EventType::Released, 2s, alice).events()
            << QStringLiteral("8f14 5000..5000");
    }
    void tellsWhoHeldItFromWhenToWhen() {
        QFETCH(const std::vector<monitor::LockEvent>, events);
        TimelineHistory history;
        history.append(events);
        QTEST(wordsFor(*history.lane(lockName("L"))), "holds");
    }

    void whatThisConsoleForcedIsAMomentAndEndsNoHold() {
        TimelineHistory history;
        const EventStory taken = story().event(EventType::Acquired, 0ms, {alice});
        // The answer may come after a later holder was already shown.
        history.append(EventStory(taken).event(EventType::HandedOver, 2s, {bob}).events());
        history.append(monitor::forcedOut(taken.events().back().lock, laneStart + 2s));
        const LaneHistory lane = *history.lane(lockName("L"));
        QCOMPARE(wordsFor(lane), QStringLiteral("8f14 0..2000, c9f0 2000.."));
        QCOMPARE(lane.moments.last().type, EventType::Forced);
    }

    void endsEveryHoldWhereWatchingEnds() {
        TimelineHistory history;
        history.append(story().event(EventType::Acquired, 0ms, {alice}).events());
        history.interrupt(laneStart + 3s);
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0..(3000)"));
        QCOMPARE(history.gaps(laneStart + 5s).back().to, laneStart + 5s);
        history.resume(laneStart + 7s);
        QCOMPARE(history.gaps(laneStart + 60s).size(), size_t(1));
        QCOMPARE(history.gaps(laneStart + 60s).back().from, laneStart + 3s);
        QCOMPARE(history.gaps(laneStart + 60s).back().to, laneStart + 7s);
    }

    void endsTheHoldsOfALockWhoseNodeIsLost() {
        TimelineHistory history;
        history.append(story().event(EventType::Acquired, 0ms, {alice}).events());
        history.interrupt(lockName("other"), laneStart + 5s);
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0.."));
        history.interrupt(lockName("L"), laneStart + 5s);
        history.interrupt(lockName("L"), laneStart + 6s);
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0..(5000)"));
        QCOMPARE(history.lane(lockName("L"))->unwatchedSince, laneStart + 5s);
        history.append(story().gap(9s, 4s, {alice}).events());
        QVERIFY(!history.lane(lockName("L"))->unwatchedSince);
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0..(5000), 8f14 (9000).."));
        QVERIFY(history.gaps(laneStart + 10s).empty());
    }

    void aGapWithoutALockIsAboutAll() {
        TimelineHistory history;
        history.append(story().event(EventType::Acquired, 0ms, {alice}).events());
        history.append(EventStory("", laneStart).gap(8s, 5s, {}).events());
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0..(3000)"));
        QCOMPARE(history.gaps(laneStart + 60s).size(), size_t(1));
        QCOMPARE(history.lanes().size(), size_t(1));
    }

    void whatEarlierRunsSawEndsWhereTheyStopped() {
        TimelineHistory history;
        history.interrupt(laneStart);
        history.clear();
        history.append(story().event(EventType::Acquired, 10s, {alice}).events());
        history.append(EventStory("", laneStart).gap(100s, 85s, {}).events());
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 10000..(15000)"));
        QCOMPARE(history.gaps(laneStart + 200s).size(), size_t(1));
        QCOMPARE(history.gaps(laneStart + 200s).front().from, laneStart + 15s);
    }

    void countsRenewalsAndDepth() {
        TimelineHistory history;
        monitor::Holder deep = alice;
        deep.count = 3;
        history.append(story()
                           .event(EventType::Acquired, 0ms, {alice})
                           .event(EventType::Renewed, 10s, {alice})
                           .event(EventType::Reentered, 11s, {deep})
                           .event(EventType::ReleasedOnce, 12s, {alice})
                           .event(EventType::Renewed, 20s, {alice})
                           .events());
        const Hold hold = history.lane(lockName("L"))->open.first();
        QCOMPARE(hold.renewals, quint32(2));
        QCOMPARE(hold.deepest, qint64(3));
    }

    void keepsTheLeaseAsItWasReadWhenOnlyTheWaitersChange() {
        TimelineHistory history;
        history.append(story().event(EventType::Acquired, 0ms, {alice}, 30s).waiters(4s, 2).events());
        const LaneHistory lane = *history.lane(lockName("L"));
        QCOMPARE(*lane.moments.last().leaseEnd, laneStart + 30s);
        QCOMPARE(*lane.moments.last().waiters, 2);
    }

    // Less is kept of such a lock.
    void aLockThatWasOnlyFoundHasItsLeaseAndItsWaiters() {
        TimelineHistory history;
        EventStory found = story().event(EventType::Found, 1s, {alice}, 30s);
        monitor::LockEvent event = found.events().front();
        event.lock.waiters = 2;
        history.append(std::vector{event});
        for (int again = 0; again < 2; ++again) {
            const LaneHistory lane = *history.lane(lockName("L"));
            QCOMPARE(lane.moments.size(), 1);
            QCOMPARE(lane.moments[0].type, EventType::Found);
            QCOMPARE(lane.moments[0].at, laneStart + 1s);
            QCOMPARE(*lane.moments[0].leaseEnd, laneStart + 31s);
            QCOMPARE(*lane.moments[0].waiters, 2);
            QCOMPARE(history.size(), size_t(1));
        }
        history.append(std::vector{found.event(EventType::Renewed, 10s, {alice}).events().back()});
        QCOMPARE(history.lane(lockName("L"))->moments.size(), 2);
        QCOMPARE(*history.lane(lockName("L"))->moments[0].waiters, 2);
    }

    void whatWasOnlyFoundEndsWhereWatchingEnds() {
        TimelineHistory history;
        history.append(story().event(EventType::Found, 0ms, {alice}).events());
        history.interrupt(laneStart + 3s);
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 (0)..(3000)"));
        QCOMPARE(history.lane(lockName("L"))->unwatchedSince, laneStart + 3s);
    }

    void whatWasOnlyFoundIsDroppedAsTheOldest() {
        TimelineHistory history(10);
        history.append(EventStory("free", laneStart).event(EventType::Found, 0ms, {}).events());
        history.append(EventStory("held", laneStart).event(EventType::Found, 0ms, {alice}).events());
        for (int i = 0; i < 10; ++i)
            history.append(EventStory("L", laneStart).event(EventType::Renewed, 1s, {bob}).events());
        QVERIFY(!history.lane(lockName("free")));
        QVERIFY(history.lane(lockName("held"))->moments.isEmpty());
        QCOMPARE(wordsFor(*history.lane(lockName("held"))), QStringLiteral("8f14 (0).."));
    }

    // The audit reports the action when the next holder has been seen.
    void whatAnOperatorDidIsAMomentInItsPlace() {
        TimelineHistory history;
        history.append(story().event(EventType::Acquired, 0s, {alice}).ends(EventType::Released, 4s, alice).events());
        const auto change = [](const char* lock, Milliseconds at) {
            return EventStory(lock, laneStart).event(EventType::Forced, at, {}).events().front();
        };
        history.addChange(change("L", 3s));
        history.addChange(change("never seen", 3s));
        history.addChange(change("L", -1s));  // not watched then
        std::vector<EventType> types;
        const LaneHistory lane = *history.lane(lockName("L"));
        for (const Moment& moment : lane.moments)
            types.push_back(moment.type);
        QCOMPARE(types, (std::vector{EventType::Acquired, EventType::Forced, EventType::Released}));
        QCOMPARE(wordsFor(lane), QStringLiteral("8f14 0..4000"));
        QVERIFY(!history.knows(lockName("never seen")));
        QCOMPARE(history.momentsBetween(laneStart + 2s, laneStart + 4s).value(&history.lanes().begin()->first), 1);
    }

    void anExplainedHandOverIsNoSuspect() {
        TimelineHistory history;
        monitor::LockEvent taken = story().event(EventType::HandedOver, 2s, {bob}).events().front();
        taken.suspect = true;
        history.append(story().event(EventType::Acquired, 0ms, {alice}).events());
        history.append(std::vector{taken});
        const auto isSuspect = [&history] { return history.lane(lockName("L"))->moments.back().suspect; };
        QVERIFY(isSuspect());
        monitor::LockEvent another = taken;
        another.at += 1ms;
        history.explain(another);
        QVERIFY(isSuspect());
        history.explain(taken);
        QVERIFY(!isSuspect());
    }

    void laysOverlappingHoldsBesideEachOther() {
        TimelineHistory history;
        history.append(story()
                           .event(EventType::Acquired, 0ms, {alice})
                           .event(EventType::Acquired, 1s, {alice, bob})
                           .ends(EventType::Released, 2s, alice, {bob})
                           .event(EventType::Acquired, 3s, {bob, holder(clientA, 50)})
                           .events());
        const LaneHistory lane = *history.lane(lockName("L"));
        QCOMPARE(lane.ended.first().track, 0);
        QCOMPARE(lane.open.at(0).track, 1);
        QCOMPARE(lane.open.at(1).track, 0);
    }

    void keepsSoMuchAndDropsTheOldest() {
        TimelineHistory history(10);
        history.append(EventStory("old", laneStart)
                           .event(EventType::Acquired, 0ms, {alice})
                           .ends(EventType::Released, 1s, alice)
                           .events());
        for (int i = 0; i < 20; ++i) {
            history.append(story()
                               .event(EventType::Acquired, 2s * i + 2s, {bob})
                               .ends(EventType::Released, 2s * i + 3s, bob)
                               .events());
            QVERIFY(history.size() <= 10);
        }
        QVERIFY(!history.lane(lockName("old")));
        QVERIFY(history.lane(lockName("L")));
    }

    void keepsAnOpenHoldWhoseMomentsHaveGone() {
        TimelineHistory history(10);
        history.append(EventStory("long", laneStart).event(EventType::Acquired, 0ms, {alice}).events());
        for (int i = 0; i < 20; ++i)
            history.append(story().event(EventType::Renewed, 1s * i, {bob}).events());
        QCOMPARE(wordsFor(*history.lane(lockName("long"))), QStringLiteral("8f14 0.."));
    }

    void aLockThatIsForgottenHoldsNothingOn() {
        TimelineHistory history;
        history.append(
            story().event(EventType::Acquired, 0ms, {alice}).event(EventType::Renewed, 4s, {alice}).events());
        history.forget({lockName("L"), lockName("never known")});
        QCOMPARE(wordsFor(*history.lane(lockName("L"))), QStringLiteral("8f14 0..(4000)"));
    }
};

LOCKKEEPER_TEST(TestTimelineHistory, Guiless)

}  // namespace tst_timelinehistory

#include "tst_timelinehistory.moc"
