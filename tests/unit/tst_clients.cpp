// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/clients.h"
#include "monitor/store/lockstore.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"
#include "support/touchedkeys.h"

#include <QTest>

#include <functional>
#include <map>

namespace tst_clients {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// Reads of several locks by one store, as a monitor on a tracking server makes them. Times count from the beginning of
// the test. A lease of 30 s is overdue 13 s after a renewal.
class Scene {
public:
    explicit Scene(StoreLimits limits = {}) : store(limits) {
        store.endSweepOf({});
        (void)store.take();
    }

    Scene& free(const QByteArray& name, Milliseconds at) { return read(named(test::free(at), name), touched(at)); }
    Scene& released(const QByteArray& name, Milliseconds at) {
        return read(named(test::free(at), name), touched(at, 1));
    }
    // Acquired, or renewed to the whole lease.
    Scene& set(const QByteArray& name, const HolderId& id, Milliseconds at, Milliseconds lease = 30s) {
        m_ends[name] = at + lease;
        return read(named(held(at, id, 1, lease), name), touched(at - 1ms));
    }
    // As set(), read by a poll: when it happened since the read before is not known.
    Scene& polled(const QByteArray& name, const HolderId& id, Milliseconds at, Milliseconds lease = 30s) {
        m_ends[name] = at + lease;
        return read(named(held(at, id, 1, lease), name), {});
    }
    // Read again, without a change.
    Scene& again(const QByteArray& name, const HolderId& id, Milliseconds at) {
        BetweenReads between;
        between.touch = KeyTouch::Untouched;
        return read(named(held(at, id, 1, m_ends[name] - at), name), between);
    }
    Scene& afterGap(const QByteArray& name, const HolderId& id, Milliseconds at) {
        BetweenReads between;
        between.gap = 500ms;
        return read(named(held(at, id, 1, m_ends[name] - at), name), between);
    }
    Scene& expired(const QByteArray& name, Milliseconds at) { return read(named(test::free(at), name), touched(at)); }
    // Held by the first one; the others queue.
    Scene& queue(const QByteArray& name, const HolderId& holder, const QList<HolderId>& waiters, Milliseconds at) {
        LockSnapshot lock = named(snapshot(at, LockKind::Fair, {exclusive(holder)}, 30s), name);
        for (const HolderId& waiter : waiters)
            lock.fairQueue.append(FairWaiter{waiter, std::nullopt});
        lock.waiters = static_cast<int>(waiters.size());
        return read(lock, touched(at - 1ms));
    }
    // Two renewals of 30 s by this client of these locks, which were acquired at 1 s: the last one at 21 s.
    Scene& renewedUpTo21(const QByteArrayList& names, const HolderId& id) {
        for (const Milliseconds at : {0ms, 1000ms, 11'000ms, 21'000ms}) {
            for (const QByteArray& name : names)
                at == 0ms ? free(name, at) : set(name, id, at);
        }
        return *this;
    }
    Scene& againAll(const QByteArrayList& names, const HolderId& id, Milliseconds at) {
        for (const QByteArray& name : names)
            again(name, id, at);
        return *this;
    }

    [[nodiscard]] QByteArrayList of(const HolderId& id) const {
        QByteArrayList words;
        const ClientRow row = *store.client(id.client());
        for (const Diagnosis& diagnosis : row.diagnoses)
            words << wordFor(diagnosis.kind()).toLatin1() + ' ' + wordFor(diagnosis.certainty).toLatin1();
        return words;
    }
    // "watchdog_stopped begin" and so on, in their order.
    [[nodiscard]] QByteArrayList said() {
        for (const LockEvent& event : store.take().events) {
            if (event.diagnosis && event.diagnosis->kind() != DiagnosisKind::LeaseRanOut)
                m_said << wordFor(event.diagnosis->kind()).toLatin1() + ' ' + wordFor(event.phase).toLatin1();
        }
        return m_said;
    }

    LockStore store;

private:
    static LockSnapshot named(LockSnapshot lock, const QByteArray& name) {
        lock.name = LockName(name);
        return lock;
    }
    Scene& read(const LockSnapshot& lock, const BetweenReads& between) {
        store.apply(lock, between);
        return *this;
    }

    std::map<QByteArray, Milliseconds> m_ends;
    QByteArrayList m_said;
};

const QByteArrayList three{"a", "b", "c"};

// Of alice three locks, of bob one; all renewed at 21 s. At 34 s those of alice are overdue, and bob has renewed his
// again at 31 s.
void aliceFallsSilent(Scene& scene) {
    scene.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob);
    scene.set("bob's", bob, 31s).againAll(three, alice, 34s + 10ms);
}

}  // namespace

class TestClients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsWhatAClientHoldsAndWaitsFor() {
        Scene scene;
        scene.free("a", 0s).set("a", alice, 1s).set("b", alice, 2s);
        scene.queue("fair", bob, {alice}, 3s);
        ClientRow row = *scene.store.client(alice.client());
        QCOMPARE(row.held, 2);
        QCOMPARE(row.waitsFor, 1);
        QCOMPARE(row.firstSeen, WallTime(1s));
        scene.released("a", 4s).queue("fair", alice, {}, 5s);
        row = *scene.store.client(alice.client());
        QCOMPARE(row.held, 2);
        QCOMPARE(row.waitsFor, 0);
        QCOMPARE(scene.store.client(bob.client())->held, 0);
        QVERIFY(scene.store.client(bob.client())->isIdle());
    }

    void theLastSignOfLifeIsWhatOnlyTheClientCanHaveDone_data() {
        QTest::addColumn<std::function<void(Scene&)>>("play");
        QTest::addColumn<QByteArray>("sign");
        QTest::addColumn<Milliseconds>("at");
        const auto row = [](const char* name, std::function<void(Scene&)> play, const char* sign, Milliseconds at) {
            QTest::newRow(name) << std::move(play) << QByteArray(sign) << at;
        };
        row(
            "a lock found held may be old", [](Scene& s) { s.set("a", alice, 1s); }, "appeared", 1s);
        row(
            "acquired", [](Scene& s) { s.free("a", 0s).set("a", alice, 2s); }, "acquired", 2s);
        row(
            "renewed", [](Scene& s) { s.free("a", 0s).set("a", alice, 2s).set("a", alice, 12s); }, "renewed", 12s);
        row(
            "queued", [](Scene& s) { s.queue("f", bob, {}, 1s).queue("f", bob, {alice}, 3s); }, "queued", 3s);
        row(
            "a release may have been an operator's",
            [](Scene& s) { s.free("a", 0s).set("a", alice, 2s).released("a", 5s); }, "acquired", 2s);
        row(
            "who has moved up in the queue did nothing",
            [](Scene& s) {
                s.queue("f", bob, {}, 1s).queue("f", bob, {carol, alice}, 3s).queue("f", carol, {alice}, 9s);
            },
            "queued", 3s);
    }
    void theLastSignOfLifeIsWhatOnlyTheClientCanHaveDone() {
        QFETCH(const std::function<void(Scene&)>, play);
        QFETCH(const QByteArray, sign);
        QFETCH(const Milliseconds, at);
        Scene scene;
        play(scene);
        const LastSign last = scene.store.client(alice.client())->last;
        QCOMPARE(wordFor(last.what).toLatin1(), sign);
        QCOMPARE(last.at, WallTime(at));
    }

    void theWatchdogAndTheRateAreLearnedFromRenewals() {
        Scene scene;
        scene.renewedUpTo21(three, alice);
        const ClientRow row = *scene.store.client(alice.client());
        QCOMPARE(row.watchdogTimeout, 30s);
        QCOMPARE(row.renewals, quint64{6});
        QCOMPARE(row.renewalsPerSecond, 0.3);
    }

    void aLockThatExpiresIsALoss() {
        Scene scene;
        scene.free("a", 0s).set("a", alice, 1s, 5s).expired("a", 6s + 10ms);
        QCOMPARE(scene.store.client(alice.client())->losses, quint64{1});
        scene.set("a", alice, 7s).released("a", 8s);
        QCOMPARE(scene.store.client(alice.client())->losses, quint64{1});
    }

    // Two seconds after the renewal of another client: after a pause of the server all come at once.
    void aClientThatRenewsNothingIsSaidOnce() {
        Scene scene;
        aliceFallsSilent(scene);
        QCOMPARE(scene.of(alice), QByteArrayList());
        QCOMPARE(scene.store.row(LockName("a"))->diagnoses.size(), 1);
        scene.set("bob's", bob, 41s).againAll({"a"}, alice, 43s - 1ms);
        QCOMPARE(scene.of(alice), QByteArrayList());
        QCOMPARE(scene.said(), QByteArrayList());
        scene.again("b", alice, 43s + 10ms);
        QCOMPARE(scene.of(alice), QByteArrayList{"client_renews_nothing likely"});
        QCOMPARE(scene.of(bob), QByteArrayList());
        const auto found =
            std::get<ClientRenewsNothing>(scene.store.client(alice.client())->diagnoses.first().evidence);
        QCOMPARE(found.stopped.client, alice.client());
        QCOMPARE(found.stopped.count, qint64{3});
        QCOMPARE(found.stopped.locks, QList({LockName("a"), LockName("b"), LockName("c")}));
        QCOMPARE(found.stopped.lastRenewal, WallTime(21s));
        QCOMPARE(found.stopped.lease, 30s);
        QCOMPARE(found.othersRenewed, WallTime(41s));
        QCOMPARE(scene.said(), QByteArrayList{"client_renews_nothing begin"});
        for (const QByteArray& name : three)
            scene.expired(name, 51s + 10ms);
        QCOMPARE(scene.of(alice), QByteArrayList());
        QCOMPARE(scene.store.client(alice.client())->losses, quint64{3});
        QCOMPARE(scene.said(), QByteArrayList({"client_renews_nothing begin", "client_renews_nothing end"}));
    }

    // The diagnosis of the client has said it for them.
    void whatStaysSilentWhenTheClientGoesOnIsSaidByItself() {
        Scene scene;
        aliceFallsSilent(scene);
        scene.set("bob's", bob, 41s).again("b", alice, 43s + 10ms);
        QCOMPARE(scene.said(), QByteArrayList{"client_renews_nothing begin"});
        scene.set("a", alice, 44s);
        QCOMPARE(scene.of(alice), QByteArrayList());
        QCOMPARE(scene.said(), QByteArrayList({"client_renews_nothing begin", "watchdog_stopped begin",
                                               "watchdog_stopped begin", "client_renews_nothing end"}));
    }
    // What was known at an earlier time says nothing about the client now.
    void aLockThatWasReadLongAgoTakesNothingBack() {
        Scene scene;
        scene.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob);
        scene.set("c", alice, 31s).set("bob's", bob, 31s).againAll({"a", "b"}, alice, 34s + 10ms);
        scene.again("c", alice, 44s + 10ms).set("bob's", bob, 45s).again("c", alice, 47s + 10ms);
        QCOMPARE(scene.of(alice), QByteArrayList{"client_renews_nothing likely"});
        scene.store.setWaiting({{LockName("a"), {1}}}, at(48s), WallTime(48s));
        QCOMPARE(scene.of(alice), QByteArrayList{"client_renews_nothing likely"});
    }

    // A timeline shows it in the lane of one lock, from its begin to its end.
    void beginAndEndAreAboutTheSameLock() {
        Scene scene;
        aliceFallsSilent(scene);
        scene.set("bob's", bob, 41s).again("b", alice, 43s + 10ms);
        for (const QByteArray& name : three)
            scene.expired(name, 51s + 10ms);
        QList<LockName> locks;
        for (const LockEvent& event : scene.store.take().events) {
            if (event.diagnosis && isOfClient(event.diagnosis->kind()))
                locks << event.lock.name;
        }
        QCOMPARE(locks, QList({LockName("b"), LockName("b")}));
    }

    // The lock of the begin is not known any more: its name is left.
    void theEndNamesTheLockOfTheBeginEvenIfThatIsForgotten() {
        Scene scene;
        aliceFallsSilent(scene);
        scene.set("bob's", bob, 41s).again("b", alice, 43s + 10ms);
        scene.store.loseSightOf(LockName("b"), at(45s));
        scene.expired("a", 51s + 10ms).expired("c", 51s + 10ms);
        QList<LockName> locks;
        for (const LockEvent& event : scene.store.take().events) {
            if (event.diagnosis && isOfClient(event.diagnosis->kind()))
                locks << event.lock.name;
        }
        QCOMPARE(locks, QList({LockName("b"), LockName("b")}));
    }

    // It acquires: so the server takes what it sends, and nobody else need show it.
    void aClientThatAcquiresAndRenewsNothingHasABrokenRenewal() {
        Scene scene;
        scene.renewedUpTo21(three, alice).againAll(three, alice, 34s + 10ms);
        scene.free("new", 34s).set("new", alice, 35s).againAll({"a"}, alice, 37s - 1ms);
        QCOMPARE(scene.of(alice), QByteArrayList());
        scene.again("b", alice, 37s + 10ms);
        QCOMPARE(scene.of(alice), QByteArrayList{"renewal_broken likely"});
        const auto found = std::get<RenewalBroken>(scene.store.client(alice.client())->diagnoses.first().evidence);
        QCOMPARE(found.sign, (LastSign{SignOfLife::Acquired, LockName("new"), WallTime(35s)}));
        QCOMPARE(found.stopped.count, qint64{3});
        scene.set("new", alice, 45s);
        QCOMPARE(scene.of(alice), QByteArrayList());
    }

    // The poll before the one that shows an act, or a renewal by another client, was after the renewals were overdue.
    void polledActsCountOnceTheyAreCertainlyLate() {
        Scene broken;
        broken.renewedUpTo21(three, alice).againAll(three, alice, 34s + 10ms).free("new", 34s + 10ms);
        broken.polled("new", alice, 36s).againAll(three, alice, 39s);
        QCOMPARE(broken.of(alice), QByteArrayList{"renewal_broken likely"});
        Scene silent;
        silent.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob).againAll(three, alice, 34s + 10ms);
        silent.polled("bob's", bob, 36s).againAll(three, alice, 39s).polled("bob's", bob, 46s);
        QCOMPARE(silent.of(alice), QByteArrayList());
        silent.againAll(three, alice, 49s);
        QCOMPARE(silent.of(alice), QByteArrayList{"client_renews_nothing likely"});
    }

    void ofASingleLockItsOwnDiagnosisHasSaidIt() {
        Scene scene;
        scene.renewedUpTo21({"a"}, alice).renewedUpTo21({"bob's"}, bob).again("a", alice, 34s + 10ms);
        scene.set("bob's", bob, 35s).again("a", alice, 37s + 10ms);
        QCOMPARE(scene.of(alice), QByteArrayList{"client_renews_nothing likely"});
        QCOMPARE(scene.said(), QByteArrayList{"watchdog_stopped begin"});
    }

    void nothingIsSaidOfTheClientInNearMisses_data() {
        QTest::addColumn<std::function<void(Scene&)>>("play");
        QTest::addColumn<QByteArrayList>("said");
        const auto row = [](const char* name, std::function<void(Scene&)> play, const QByteArrayList& said = {}) {
            QTest::newRow(name) << std::move(play) << said;
        };
        const QByteArray stopped = "watchdog_stopped begin";
        row("there is no other client",
            [](Scene& s) {
                s.renewedUpTo21(three, alice).againAll(three, alice, 34s + 10ms).againAll(three, alice, 50s);
            },
            {stopped, stopped, stopped});
        row("all clients at once: the server, or our connection",
            [](Scene& s) {
                s.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob);
                s.againAll(three, alice, 34s + 10ms).again("bob's", bob, 34s + 10ms).againAll(three, alice, 50s);
            },
            {stopped, stopped, stopped, stopped});
        row("another one renewed only before this one was overdue", [](Scene& s) {
            aliceFallsSilent(s);
            s.againAll(three, alice, 40s);
        });
        row("a pause of the server: it renews right after the other", [](Scene& s) {
            aliceFallsSilent(s);
            s.set("bob's", bob, 41s).set("a", alice, 41s + 5ms).set("b", alice, 41s + 5ms).set("c", alice, 41s + 5ms);
            s.againAll(three, alice, 44s);
        });
        row("it renews another lock",
            [](Scene& s) {
                s.renewedUpTo21({"a", "b", "c", "d"}, alice).renewedUpTo21({"bob's"}, bob).set("d", alice, 31s);
                s.againAll(three, alice, 34s + 10ms).set("bob's", bob, 35s).set("d", alice, 41s);
                s.againAll(three, alice, 44s);
            },
            {stopped, stopped, stopped});
        row("fixed leases only",
            [](Scene& s) {
                for (const QByteArray& name : three)
                    s.free(name, 0s).set(name, alice, 1s);
                s.renewedUpTo21({"bob's"}, bob).againAll(three, alice, 15s).set("bob's", bob, 31s);
                s.againAll(three, alice, 30s);
            },
            {"fixed_lease begin", "fixed_lease begin", "fixed_lease begin"});
        row("its locks were just released", [](Scene& s) {
            s.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob);
            for (const QByteArray& name : three)
                s.released(name, 30s);
            s.set("bob's", bob, 31s).set("bob's", bob, 41s);
        });
        row("our connection was away", [](Scene& s) {
            s.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob).set("bob's", bob, 31s);
            for (const QByteArray& name : three)
                s.afterGap(name, alice, 33s);
            s.afterGap("bob's", bob, 33s).set("bob's", bob, 41s).againAll(three, alice, 45s);
        });
        row("polled: what it did may be older than its overdue renewals",
            [](Scene& s) {
                s.renewedUpTo21(three, alice).free("new", 33s).againAll(three, alice, 34s + 10ms);
                s.polled("new", alice, 36s).againAll(three, alice, 39s);
            },
            {stopped, stopped, stopped});
        row("polled: what it did before it was overdue is read after that",
            [](Scene& s) {
                s.renewedUpTo21(three, alice).free("new", 33s).polled("new", alice, 35s);
                s.againAll(three, alice, 34s + 10ms).againAll(three, alice, 39s);
            },
            {stopped, stopped, stopped});
        row("polled: another one may have renewed only before that", [](Scene& s) {
            s.renewedUpTo21(three, alice).renewedUpTo21({"bob's"}, bob);
            s.againAll(three, alice, 34s + 10ms).polled("bob's", bob, 36s).againAll(three, alice, 39s);
        });
        row("a lock of it that is seen for the first time may be an old one",
            [](Scene& s) {
                s.renewedUpTo21(three, alice).againAll(three, alice, 34s + 10ms).set("d", alice, 36s);
                s.againAll(three, alice, 39s);
            },
            {stopped, stopped, stopped});
    }
    void nothingIsSaidOfTheClientInNearMisses() {
        QFETCH(const std::function<void(Scene&)>, play);
        QFETCH(const QByteArrayList, said);
        Scene scene;
        play(scene);
        QCOMPARE(scene.of(alice), QByteArrayList());
        QByteArrayList events = scene.said();
        events.removeIf([](const QByteArray& event) { return event.endsWith("end"); });
        QCOMPARE(events, said);
    }

    // The read that decides is asked for: nothing else of its locks changes.
    void aReadIsRequestedForTheVerdict() {
        Scene scene;
        aliceFallsSilent(scene);
        scene.set("bob's", bob, 41s);
        const QList<LockName> due = scene.store.takeDueReads(at(43s));
        QVERIFY(std::ranges::any_of(due, [](const LockName& name) { return three.contains(name.bytes()); }));
    }

    // Nobody else renews any more: after an interval each lock speaks for itself.
    void whatIsHeldBackIsSaidInTheEnd() {
        Scene scene;
        aliceFallsSilent(scene);
        QCOMPARE(scene.said(), QByteArrayList());
        scene.again("a", alice, 34s + 10ms + 12s - 1ms);
        QCOMPARE(scene.said(), QByteArrayList());
        scene.again("a", alice, 34s + 10ms + 12s);
        QCOMPARE(scene.said(),
                 QByteArrayList({"watchdog_stopped begin", "watchdog_stopped begin", "watchdog_stopped begin"}));
    }

    void idleClientsAreForgottenAndMakeRoom() {
        Scene scene(StoreLimits{.clients = 2, .keepIdleClient = 60s});
        scene.free("a", 0s).set("a", alice, 1s).released("a", 2s).free("b", 0s).set("b", bob, 3s).free("c", 0s);
        scene.set("c", carol, 4s);
        QVERIFY(!scene.store.client(alice.client()));
        QVERIFY(scene.store.client(bob.client()) && scene.store.client(carol.client()));
        scene.free("d", 4s).set("d", alice, 5s);
        QVERIFY(!scene.store.client(alice.client()));
        scene.released("b", 10s);
        (void)scene.store.take();
        (void)scene.store.forgetFree(at(70s - 1ms));
        QVERIFY(scene.store.client(bob.client()));
        (void)scene.store.forgetFree(at(70s));
        QVERIFY(!scene.store.client(bob.client()));
        QCOMPARE(scene.store.take().removedClients, std::vector{bob.client()});
    }

    void aBatchHasEachChangedClientOnce() {
        Scene scene;
        scene.free("a", 0s).set("a", alice, 1s).free("b", 0s).set("b", alice, 2s);
        const MonitorBatch batch = scene.store.take();
        QCOMPARE(batch.clients.size(), size_t{1});
        QCOMPARE(batch.clients.front()->held, 2);
        QVERIFY(scene.store.take().clients.empty());
    }

    void theIdTellsRedissonFromAnotherProgram() {
        QVERIFY(isRedissonId(alice.client()));
        QVERIFY(!isRedissonId(ClientId("svc")));
    }
};

LOCKKEEPER_TEST(TestClients, Guiless)

}  // namespace tst_clients

#include "tst_clients.moc"
