// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/rememberedholds.h"
#include "monitor/store/lockstore.h"
#include "support/eventstory.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

#include <functional>

namespace tst_rememberedholds {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const Holder alices = exclusive(alice);

using Events = std::vector<LockEvent>;

LockEvent stopsAt(Milliseconds at, Milliseconds gap = 0ms) {
    LockEvent event;
    event.type = EventType::NotWatched;
    event.at = WallTime(at);
    event.gap = gap;
    return event;
}

LockEvent emptiedAt(Milliseconds at) {
    LockEvent event = stopsAt(at);
    event.type = EventType::Emptied;
    return event;
}

EventStory story() {
    return EventStory("L", WallTime{});
}

Events operator+(Events events, const Events& more) {
    events.insert(events.end(), more.begin(), more.end());
    return events;
}

Events operator+(const EventStory& story, const Events& more) {
    return story.events() + more;
}

// Acquired at 10 s with 30 s, renewed at 20 s, watched until 25 s, and again from 100 s on.
Events renewed() {
    return story().event(EventType::Acquired, 10s, {alices}).event(EventType::Renewed, 20s, {alices}) +
           Events{stopsAt(100s, 75s)};
}

// A lease of 600 s from 10 s on, without renewals.
Events fixed() {
    return story().event(EventType::Acquired, 10s, {alices}, 600s) + Events{stopsAt(100s, 75s)};
}

QByteArray shown(const Rare<SeenBefore>& seen) {
    const auto seconds = [](WallTime at) {
        return QByteArray::number(std::chrono::duration_cast<std::chrono::seconds>(at - WallTime{}).count());
    };
    return seen ? seconds(seen->since) + ' ' + seconds(seen->unwatchedFrom) + '-' + seconds(seen->unwatchedTo) + ' ' +
                      QByteArray::number(seen->gaps)
                : QByteArray();
}

LockSnapshot with(LockSnapshot lock, const std::function<void(LockSnapshot&)>& change) {
    change(lock);
    return lock;
}

}  // namespace

class TestRememberedHolds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHoldContinuesWhereNothingContradicts_data() {
        QTest::addColumn<Events>("events");
        QTest::addColumn<LockSnapshot>("first");
        QTest::addColumn<QByteArray>("seen");  // "since from-to gaps", empty: nothing
        const auto row = [](const char* name, const Events& events, const LockSnapshot& first,
                            const QByteArray& seen = {}) { QTest::newRow(name) << events << first << seen; };
        row("renewed, and still", renewed(), held(101s, alice), "10 25-101 1");
        row("nothing was recorded", {}, held(101s, alice));
        row("another lock", renewed(), with(held(101s, alice), [](auto& lock) { lock.name = LockName("M"); }));
        row("another holder", renewed(), held(101s, bob));
        row("another count", renewed(), held(101s, alice, 2));
        row("another mode", renewed(), snapshot(101s, LockKind::ReadWrite, {reader(alice)}, 30s));
        row("one more holder", renewed(), snapshot(101s, LockKind::ReadWrite, {alices, reader(bob)}, 30s));
        row("another token", renewed(), with(held(101s, alice), [](auto& lock) { lock.token = 7; }));
        row("never expires now", renewed(), held(101s, alice, 1, std::nullopt));
        row("renewed to more than its lease", renewed(), held(101s, alice, 1, 60s));
        row("never expired",
            story().event(EventType::Acquired, 10s, {alices}, std::nullopt) + Events{stopsAt(100s, 75s)},
            held(101s, alice, 1, std::nullopt), "10 25-101 1");
        row("a lease without renewals still runs", fixed(), held(101s, alice, 1, 509s), "10 25-101 1");
        row("it ends later: acquired again, or renewed", fixed(), held(101s, alice, 1, 600s));
        row("it ends earlier: acquired again", fixed(), held(101s, alice, 1, 60s));
        row("it has run out meanwhile", story().event(EventType::Acquired, 10s, {alices}) + Events{stopsAt(100s, 75s)},
            held(101s, alice));
        row("released while watched",
            story().event(EventType::Acquired, 10s, {alices}).ends(EventType::Released, 12s, alices) +
                Events{stopsAt(100s, 75s)},
            held(101s, alice));
        row("released and acquired again while watched",
            story().event(EventType::Acquired, 10s, {alices})
                    .ends(EventType::Released, 12s, alices)
                    .event(EventType::Acquired, 14s, {alices})
                    .event(EventType::Renewed, 20s, {alices}) +
                Events{stopsAt(100s, 75s)},
            held(101s, alice), "14 25-101 1");
        row("the count went up while watched",
            story().event(EventType::Acquired, 10s, {alices})
                    .event(EventType::Reentered, 12s, {exclusive(alice, 2)})
                    .event(EventType::Renewed, 20s, {exclusive(alice, 2)}) +
                Events{stopsAt(100s, 75s)},
            held(101s, alice, 2), "10 25-101 1");
        row("seen in two earlier sessions",
            (story().event(EventType::Found, 10s, {alices}).event(EventType::Renewed, 20s, {alices}) +
             Events{stopsAt(50s, 25s)}) +
                (story().event(EventType::Found, 50s, {alices}) + Events{stopsAt(100s, 40s)}),
            held(101s, alice), "10 25-101 2");
        row("another one had it between two sessions",
            (story().event(EventType::Found, 10s, {exclusive(bob)}) + Events{stopsAt(50s, 25s)}) +
                (story().event(EventType::Found, 50s, {alices}).event(EventType::Renewed, 55s, {alices}) +
                 Events{stopsAt(100s, 40s)}),
            held(101s, alice), "50 60-101 1");
        row("a gap of its own, in which nothing contradicts",
            story().event(EventType::Acquired, 10s, {alices})
                    .event(EventType::Renewed, 20s, {alices})
                    .gap(30s, 5s, {alices}) +
                Events{stopsAt(100s, 60s)},
            held(101s, alice), "10 25-101 2");
        row("the server came back empty",
            story().event(EventType::Acquired, 10s, {alices}).event(EventType::Renewed, 20s, {alices}) +
                Events{emptiedAt(22s), stopsAt(100s, 75s)},
            held(101s, alice));
        row("the clock was set back", renewed(), held(24s, alice));
    }
    void aHoldContinuesWhereNothingContradicts() {
        QFETCH(const Events, events);
        QFETCH(const LockSnapshot, first);
        RememberedHolds holds(events);
        const std::optional<SeenBefore> taken = holds.take(first);
        QTEST(shown(taken ? Rare(*taken) : Rare<SeenBefore>()), "seen");
        QVERIFY(!holds.take(first));
    }

    // The begin of a session is a gap like any other for those that follow.
    void theStoreShowsItAndGoesOnFromThere() {
        LockStore store;
        store.remember(RememberedHolds(renewed()));
        store.apply(held(101s, alice), {});
        QCOMPARE(shown(store.row(LockName("L"))->hold.seenBefore), QByteArray("10 25-101 1"));
        QCOMPARE(store.row(LockName("L"))->hold.sinceWall, WallTime(101s));
        QVERIFY(!store.row(LockName("L"))->hold.isBeginSeen());
        BetweenReads between;
        between.gap = 5s;
        store.apply(held(111s, alice), between);
        QCOMPARE(shown(store.row(LockName("L"))->hold.seenBefore), QByteArray("10 25-111 2"));
    }

    // Read from the disk later than the locks: what was known so far does not reach as far back.
    void whatIsRecalledLaterReachesFurtherBack() {
        LockStore store;
        store.apply(held(101s, alice), {});
        store.apply(free(101s), {});
        LockSnapshot other = held(101s, bob);
        other.name = LockName("M");
        store.apply(other, {});
        QCOMPARE(store.holdsToRecall(10), QList{LockName("M")});
        store.apply(held(102s, alice), {});  // its begin was seen
        store.recall(RememberedHolds(renewed()));
        QVERIFY(!store.row(LockName("L"))->hold.seenBefore);

        LockStore late;
        late.remember(
            RememberedHolds(story().event(EventType::Found, 20s, {alices}).event(EventType::Renewed, 20s, {alices}) +
                            Events{stopsAt(100s, 75s)}));
        late.apply(held(101s, alice), {});
        QCOMPARE(shown(late.row(LockName("L"))->hold.seenBefore), QByteArray("20 25-101 1"));
        (void)late.take();
        late.recall(RememberedHolds(renewed()));
        QCOMPARE(shown(late.row(LockName("L"))->hold.seenBefore), QByteArray("10 25-101 1"));
        QCOMPARE(late.take().changed.size(), size_t{1});
    }

    // What is found after the first whole sweep was acquired since.
    void itIsForgottenAfterTheFirstSweep() {
        LockStore store;
        store.remember(RememberedHolds(renewed()));
        store.endSweepOf({});
        store.endSweep(1, WallTime(101s));
        store.apply(held(102s, alice), {});
        QVERIFY(!store.row(LockName("L"))->hold.seenBefore);
    }
};

LOCKKEEPER_TEST(TestRememberedHolds, Appless)

}  // namespace tst_rememberedholds

#include "tst_rememberedholds.moc"
