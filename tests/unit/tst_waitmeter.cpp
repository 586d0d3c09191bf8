// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/waitmeter.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"
#include "support/touchedkeys.h"

#include <QTest>

namespace tst_waitmeter {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

LockSnapshot queued(Milliseconds at, const QList<Holder>& holders, const QList<HolderId>& queue, int waiters = 0) {
    LockSnapshot lock =
        snapshot(at, LockKind::Fair, holders, holders.isEmpty() ? std::nullopt : std::optional(30000ms));
    for (const HolderId& id : queue)
        lock.fairQueue.append(FairWaiter{id, WallTime(5min)});
    lock.waiters = std::max(waiters, static_cast<int>(queue.size()));
    return lock;
}

// What a monitor reads and counts of one lock, and what the meter makes of it. Times count from the test's beginning.
class Watched {
public:
    explicit Watched(const LockSnapshot& first) : m_last(first), meter(first) {}

    Watched& changed(const LockSnapshot& read, int messages = 0) { return then(read, touched(timeOf(read), messages)); }
    Watched& again(const LockSnapshot& read) {
        BetweenReads between;
        between.touch = KeyTouch::Untouched;
        return then(read, between);
    }
    Watched& gap(const LockSnapshot& read) {
        BetweenReads between;
        between.gap = 500ms;
        m_counted.reset();
        return then(read, between);
    }
    Watched& counted(Milliseconds when, int clients) {
        meter.count(clients, at(when), m_counted, m_last);
        m_counted = at(when);
        return *this;
    }
    Watched& then(const LockSnapshot& read, const BetweenReads& between) {
        meter.follow(m_last, read, compareSnapshots(m_last, read, between), between);
        m_last = read;
        return *this;
    }

    [[nodiscard]] Waits waits() const {
        return meter.shown(
            [](SteadyTime when) { return WallTime(std::chrono::duration_cast<Milliseconds>(when - at(0ms))); });
    }
    // "1 since 5", "2 since 5..7": after the first time, and there at the second; "1 since before 5"; in seconds.
    [[nodiscard]] QByteArray present() const {
        QByteArrayList texts;
        for (const WaitingSince& one : waits().present) {
            const QByteArray who = one.waiter ? nameOf(*one.waiter) : QByteArray::number(one.clients);
            const QByteArray earliest = one.earliest ? seconds(*one.earliest) + ".." : QByteArray("before ");
            texts += who + " since " + earliest + seconds(one.latest);
        }
        return texts.join(", ");
    }
    // "2: longest 3..4, free 1": waits, of the longest the bounds, of all the free time; in seconds.
    [[nodiscard]] QByteArray past() const {
        const std::optional<WaitTimes> times = waits().past;
        if (!times)
            return {};
        return QByteArray::number(times->waits) + ": longest " + seconds(times->longest.atLeast) + ".." +
               seconds(times->longest.atMost) + ", free " + seconds(times->free);
    }

private:
    static Milliseconds timeOf(const LockSnapshot& read) {
        return std::chrono::duration_cast<Milliseconds>(read.seenAt - at(0ms));
    }
    static QByteArray seconds(Milliseconds time) { return QByteArray::number(double(time.count()) / 1000); }
    static QByteArray seconds(WallTime time) {
        return seconds(std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()));
    }

    LockSnapshot m_last;
    std::optional<SteadyTime> m_counted;

public:
    WaitMeter meter;
};

LockSnapshot waitedFor(LockSnapshot lock, int clients) {
    lock.waiters = clients;
    return lock;
}

// Held by alice; at 2 s and at 5 s a client was seen for the first time that waits.
Watched twoCame() {
    return Watched(held(0s, alice)).counted(1s, 0).counted(2s, 1).counted(4s, 1).counted(5s, 2);
}

}  // namespace

class TestWaitMeter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clientsWaitSinceTheirCount_data() {
        QTest::addColumn<QByteArray>("present");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const Watched& watched, const char* present) {
            QTest::newRow(name) << QByteArray(present) << watched.present();
        };
        row("nobody", Watched(held(0s, alice)).counted(1s, 0), "");
        row("one came", Watched(held(0s, alice)).counted(1s, 0).counted(2s, 1), "1 since 1..2");
        row("two came, one after the other", twoCame(), "1 since 1..2, 1 since 4..5");
        row("two came at once", Watched(held(0s, alice)).counted(1s, 0).counted(2s, 2), "2 since 1..2");
        row("who was there at the first count may have waited for long", Watched(held(0s, alice)).counted(1s, 2),
            "2 since before 1");
        row("who was there at the first read likewise", Watched(waitedFor(held(0s, alice), 1)), "1 since before 0");
        row("one of two has left: which, is not known", twoCame().counted(6s, 1), "1 since 1..5");
        row("both have left", twoCame().counted(6s, 0), "");
        row("one of two has left, and one came", twoCame().counted(6s, 1).counted(7s, 2), "1 since 1..5, 1 since 6..7");
        row("the lock went to one of them, and another came before the next count",
            twoCame().changed(held(5500ms, bob), 1).counted(6s, 2), "1 since 1..5, 1 since 4..6");
        row("a count that comes too soon still has the one that acquired it",
            twoCame().changed(held(5500ms, bob), 1).counted(5600ms, 2), "1 since 1..2, 1 since 4..5");
        row("a renewal changes nothing", twoCame().changed(held(6s, alice)).counted(7s, 2),
            "1 since 1..2, 1 since 4..5");
        row("after a gap each may have come in it", twoCame().gap(waitedFor(held(9s, alice), 2)), "2 since before 9");
        row(
            "those that other monitors may be are not counted",
            [] {
                LockSnapshot lock = waitedFor(held(0s, alice), 3);
                lock.monitorsAmongWaiters = 2;
                return Watched(lock);
            }(),
            "1 since before 0");
    }
    void clientsWaitSinceTheirCount() {
        QFETCH(const QByteArray, shown);
        QTEST(shown, "present");
    }

    void aFairWaiterWaitsSinceItJoined_data() {
        QTest::addColumn<QByteArray>("present");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const Watched& watched, const char* present) {
            QTest::newRow(name) << QByteArray(present) << watched.present();
        };
        const QList<Holder> byAlice{exclusive(alice)};
        row("seen when it joined: the server reports each change of the queue",
            Watched(held(0s, alice)).again(queued(3s, byAlice, {bob})), "bob since 3..3");
        row("in between, the lock itself changed, too", Watched(held(0s, alice)).changed(queued(3s, byAlice, {bob})),
            "bob since 0..3");
        row("a second one joined",
            Watched(held(0s, alice)).again(queued(3s, byAlice, {bob})).again(queued(7s, byAlice, {bob, carol})),
            "bob since 3..3, carol since 7..7");
        row("it was there at the first read", Watched(queued(0s, byAlice, {bob})), "bob since before 0");
        row("after a gap", Watched(queued(0s, byAlice, {bob})).gap(queued(5s, byAlice, {bob, carol})),
            "bob since before 5, carol since before 5");
        row("it left and joined again",
            Watched(held(0s, alice))
                .again(queued(3s, byAlice, {bob}))
                .again(queued(4s, byAlice, {}))
                .again(queued(6s, byAlice, {bob})),
            "bob since 6..6");
        row("it moved into the part of a long queue that is read",
            Watched(queued(0s, byAlice, {bob}, 200)).again(queued(3s, byAlice, {carol}, 199)), "carol since before 3");
        row("a count of subscribers says nothing beside the queue", Watched(queued(0s, byAlice, {bob})).counted(1s, 1),
            "bob since before 0");
    }
    void aFairWaiterWaitsSinceItJoined() {
        QFETCH(const QByteArray, shown);
        QTEST(shown, "present");
    }

    void aWaitIsMeasuredFromWantingToHaving_data() {
        QTest::addColumn<QByteArray>("past");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const Watched& watched, const char* past) {
            QTest::newRow(name) << QByteArray(past) << watched.past();
        };
        const QList<Holder> byAlice{exclusive(alice)};
        const Watched joined = Watched(held(0s, alice)).again(queued(3s, byAlice, {bob}));
        row("nobody has waited", Watched(held(0s, alice)).changed(free(1s), 1).changed(held(2s, bob)), "");
        row("a fair waiter has it now", Watched(joined).changed(queued(8s, {exclusive(bob)}, {}), 1),
            "1: longest 5..5, free 0");
        row("the lock was free before: nobody woke it",
            Watched(joined).changed(queued(8s, {}, {bob})).changed(queued(20s, {exclusive(bob)}, {})),
            "1: longest 17..17, free 12");
        row("it had waited before it was watched",
            Watched(queued(0s, byAlice, {bob})).changed(queued(8s, {exclusive(bob)}, {}), 1), "");
        row("it gave up", Watched(joined).again(queued(8s, byAlice, {})), "");
        row("it gave up, and another acquired", Watched(joined).changed(queued(8s, {exclusive(carol)}, {}), 1), "");
        row("nothing is concluded across a gap", Watched(joined).gap(queued(8s, {exclusive(bob)}, {})), "");
        row("one client that listened acquired the lock",
            Watched(held(0s, alice)).counted(1s, 0).counted(2s, 1).changed(held(6s, bob), 1).counted(7s, 0),
            "1: longest 4..5, free 0");
        row("one of two: which, is not known", twoCame().changed(held(6s, bob), 1).counted(7s, 1),
            "1: longest 1..5, free 0");
        row("it was asleep while the lock was free",
            Watched(held(0s, alice))
                .counted(1s, 0)
                .counted(2s, 1)
                .changed(free(3s))
                .counted(4s, 1)
                .changed(held(10s, bob))
                .counted(11s, 0),
            "1: longest 8..9, free 7");
        row("it came when the lock was free already",
            Watched(free(0s)).counted(1s, 0).counted(5s, 1).changed(held(6s, bob)).counted(7s, 0),
            "1: longest 1..5, free 1");
        row("the client is still counted: another one acquired it",
            Watched(held(0s, alice)).counted(1s, 0).counted(2s, 1).changed(held(6s, bob), 1).counted(7s, 1), "");
        row("it left without an acquisition", twoCame().counted(7s, 0), "");
        row("what was measured stays true across a gap",
            Watched(joined).changed(queued(8s, {exclusive(bob)}, {}), 1).gap(held(20s, carol)),
            "1: longest 5..5, free 0");
    }
    void aWaitIsMeasuredFromWantingToHaving() {
        QFETCH(const QByteArray, shown);
        QTEST(shown, "past");
    }

    void sharesOfTheWaitsNeedEnoughOfThem() {
        Watched watched(free(0s));
        auto waitFor = [&watched, begin = Milliseconds(0)](Milliseconds wait) mutable {
            const QList<Holder> byAlice{exclusive(alice)};
            watched.changed(held(begin + 1s, alice))
                .again(queued(begin + 2s, byAlice, {bob}))
                .changed(queued(begin + 2s + wait, {exclusive(bob)}, {}), 1)
                .changed(queued(begin + 3s + wait, {}, {}));
            begin += 4s + wait;
        };
        for (int i = 1; i < WaitMeter::fewestForMedian; ++i)
            waitFor(i * 1s);
        QVERIFY(watched.waits().past && !watched.waits().past->median);
        waitFor(10s);
        QCOMPARE(watched.waits().past->median, std::optional(WaitTimes::Length{5s, 5s}));
        QCOMPARE(watched.waits().past->longest, (WaitTimes::Length{10s, 10s}));
        QCOMPARE(watched.waits().past->waited, 55000ms);
        QVERIFY(!watched.waits().past->ninetyNinth);
        for (int i = 10; i < WaitMeter::fewestForNinetyNinth; ++i)
            waitFor(1s);
        QCOMPARE(watched.waits().past->ninetyNinth, std::optional(WaitTimes::Length{9s, 9s}));
        for (int i = 0; i < 2 * WaitMeter::mostKept; ++i)
            waitFor(1s);
        QCOMPARE(watched.waits().past->waits, WaitMeter::mostKept);
        QCOMPARE(watched.waits().past->longest, (WaitTimes::Length{1s, 1s}));
    }

    void manyClientsThatComeOneByOneArePutTogether() {
        Watched watched(held(0s, alice));
        watched.counted(0s, 0);
        for (int i = 1; i <= 100; ++i)
            watched.counted(i * 1s, i);
        const QList<WaitingSince> present = watched.waits().present;
        QCOMPARE(present.size(), WaitMeter::mostGroups);
        int clients = 0;
        for (const WaitingSince& one : present)
            clients += one.clients;
        QCOMPARE(clients, 100);
        QCOMPARE(present.first(), (WaitingSince{1, WallTime(0s), WallTime(1s), std::nullopt}));
        QCOMPARE(present.last(), (WaitingSince{85, WallTime(15s), WallTime(100s), std::nullopt}));
    }
};

LOCKKEEPER_TEST(TestWaitMeter, Appless)

}  // namespace tst_waitmeter

#include "tst_waitmeter.moc"
