// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fairlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "monitor/analyse/diagnose.h"
#include "support/monitorprobe.h"
#include "support/recordedstate.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>
#include <QTimer>

namespace tst_diagnosis_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const LockName theLock("L");
constexpr ThreadId worker{1};

// For example "begin watchdog_stopped likely".
QByteArrayList told(const MonitorProbe& probe) {
    QByteArrayList words;
    for (const LockEvent& event : probe.diagnoses)
        words << (wordFor(event.phase) + ' ' + wordFor(event.diagnosis->kind()) + ' ' +
                  wordFor(event.diagnosis->certainty))
                     .toLatin1();
    return words;
}

}  // namespace

// The diagnoses of a monitor on a real server, for clients that die and for healthy ones.
class TestDiagnosisServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void aHolderThatDiesStopsRenewing();
    void aHolderThatLivesIsNotAccused();
    void aFixedLeaseIsReportedAndRunsOut();
    void whoSleepsBesideAFreeLockIsFound();
    void whoHasReadThatItNeverExpiresSleepsOn();
    void aCrashBeforeTheFirstRenewalIsFound();
    void aQueueWithADeadHeadIsFound();
    void aFailoverMayLeaveTwoHolders();
    void aReaderThatDiesBesideAnotherIsFound();
    void whatAForceLeavesBehindIsFound();
    void aReaderCutShortByAnotherIsFound();
    void aStormBehindADeadHeadIsFound_data();
    void aStormBehindADeadHeadIsFound();
    void holdersThatWaitForEachOtherAreFound();

private:
    std::unique_ptr<locks::LockClient> client(Milliseconds watchdogTimeout) {
        locks::LockClientOptions options;
        options.watchdogTimeout = watchdogTimeout;
        auto made = std::make_unique<locks::LockClient>(m_server.options(), m_clock, options);
        made->open();
        return made;
    }
    static bool take(locks::LockClient& client, std::optional<Milliseconds> lease = std::nullopt) {
        return test::waitFor(client.reentrantLock(theLock).lock(worker, lease)).ok();
    }

    SystemClock m_clock;
    RedisServer m_server;
    ServerHand m_hand{m_server};
};

void TestDiagnosisServer::aHolderThatDiesStopsRenewing() {
    auto doomed = client(3s);
    QVERIFY(take(*doomed));
    MonitorProbe probe(m_server.options());
    QTRY_VERIFY(probe.row("L") && probe.row("L")->hold.renewals >= 2);
    QCOMPARE(told(probe), QByteArrayList());
    doomed.reset();
    QTRY_COMPARE(told(probe), QByteArrayList{"begin watchdog_stopped likely"});
    QVERIFY(probe.row("L")->lock.isHeld());  // diagnosed before the lock expired
    const auto evidence = std::get<WatchdogStopped>(probe.diagnoses.front().diagnosis->evidence);
    QVERIFY(evidence.renewals >= 2);
    QVERIFY(evidence.lease > 2500ms && evidence.lease <= 3000ms);  // the lease was read soon after it was set
    QTRY_COMPARE(probe.stats.faultyLocks, 1);
    QTRY_COMPARE(told(probe), QByteArrayList({"begin watchdog_stopped likely", "end watchdog_stopped likely"}));
    QTRY_COMPARE(probe.stats.faultyLocks, 0);
}

void TestDiagnosisServer::aHolderThatLivesIsNotAccused() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    const auto alive = client(3s);
    QVERIFY(take(*alive));
    QTRY_VERIFY_WITH_TIMEOUT(probe.row("L") && probe.row("L")->hold.renewals >= 4, 10000);
    QVERIFY(test::waitFor(alive->reentrantLock(theLock).unlock(worker)).ok());
    QTRY_VERIFY(!probe.row("L")->lock.isHeld());
    QCOMPARE(told(probe), QByteArrayList());
}

void TestDiagnosisServer::aFixedLeaseIsReportedAndRunsOut() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    // The message of a release makes the lock known while it is free, so the next hold is observed from its beginning.
    m_hand.take("L", alice);
    m_hand.release("L");
    QTRY_VERIFY(probe.row("L"));
    const auto owner = client(30s);
    QVERIFY(take(*owner, 2000ms));
    QTRY_COMPARE(told(probe), QByteArrayList({"begin fixed_lease likely", "end fixed_lease likely",
                                              "begin lease_ran_out suspected"}));
    const auto evidence = std::get<LeaseRanOut>(probe.diagnoses.back().diagnosis->evidence);
    QCOMPARE(evidence.holder, HolderId(owner->id(), worker));
    QVERIFY(evidence.lease > 1500ms && evidence.lease <= 2000ms);
}

void TestDiagnosisServer::whoSleepsBesideAFreeLockIsFound() {
    m_hand.take("L", alice);
    const auto options = m_server.options();
    redis::Connection waiter(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    waiter.open();
    QTRY_VERIFY(waiter.isReady());
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{L}"}));
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    m_server.cli({"DEL", "L"});
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList{"begin waiters_asleep likely"}, 15000);
    QCOMPARE(std::get<WaitersAsleep>(probe.diagnoses.front().diagnosis->evidence).clients, 1);
    m_hand.take("L", bob);
    QTRY_COMPARE(told(probe), QByteArrayList({"begin waiters_asleep likely", "end waiters_asleep likely"}));
}

// A waiter without a time limit sleeps until a message once it has read that the lock has no TTL.
void TestDiagnosisServer::whoHasReadThatItNeverExpiresSleepsOn() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    m_hand.take("M", bob, 600000);
    m_server.cli({"HSET", "L", alice.bytes(), "1"});
    QTRY_COMPARE(told(probe), QByteArrayList{"begin never_expires certain"});
    const auto options = m_server.options();
    redis::Connection waiter(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    waiter.open();
    QTRY_VERIFY(waiter.isReady());
    // A count that finds a waiter of another lock, and none of this one: so its waiters come later.
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{M}"}));
    QTRY_COMPARE(probe.row("M")->lock.waiters.value_or(0), 1);
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{L}"}));
    QTRY_COMPARE(probe.row("L")->lock.waiters.value_or(0), 1);
    m_server.cli({"PEXPIRE", "L", "100"});
    const QByteArrayList expected{"begin never_expires certain", "end never_expires certain",
                                  "begin waiters_asleep likely"};
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), expected, 15000);
    QCOMPARE(std::get<WaitersAsleep>(probe.diagnoses.back().diagnosis->evidence).noEnd, std::optional(true));
}

void TestDiagnosisServer::aCrashBeforeTheFirstRenewalIsFound() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    const auto owner = client(3s);
    QVERIFY(take(*owner));
    QTRY_VERIFY(probe.row("L") && probe.row("L")->hold.renewals >= 2);
    // The script of an acquire, and no renewal: the thread's client has died in between.
    m_hand.take("crashed", HolderId(owner->id(), ThreadId{99}), 3000);
    QTRY_COMPARE(told(probe), QByteArrayList({"begin never_renewed suspected", "end never_renewed suspected"}));
    QCOMPARE(std::get<NeverRenewed>(probe.diagnoses.front().diagnosis->evidence).holder.thread(), ThreadId{99});
}

void TestDiagnosisServer::aQueueWithADeadHeadIsFound() {
    m_hand.take("L", alice);
    m_hand.queueUp("L", bob);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    m_hand.releaseOn("L", "redisson_lock__channel:{L}:" + bob.display());
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList{"begin fair_queue_blocked likely"}, 15000);
    const auto evidence = std::get<FairQueueBlocked>(probe.diagnoses.front().diagnosis->evidence);
    QCOMPARE(evidence.head, bob);
    QCOMPARE(evidence.deadline, std::optional(WallTime(1700000300123ms)));
}

// As Sentinel demotes a server: REPLICAOF, and its clients are disconnected.
void TestDiagnosisServer::aFailoverMayLeaveTwoHolders() {
    RedisServer promoted({"--repl-diskless-sync-delay", "0"});
    QVERIFY(promoted.start());
    ServerHand(promoted).take("L", bob, 60000);
    m_hand.take("L", alice, 60000);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    m_hand.together("REPLICAOF 127.0.0.1 " + QByteArray::number(promoted.port()) +
                    "\nCLIENT KILL TYPE normal\nCLIENT KILL TYPE pubsub");
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList{"begin possible_double_holder suspected"}, 20000);
    const auto evidence = std::get<PossibleDoubleHolder>(probe.diagnoses.front().diagnosis->evidence);
    QCOMPARE(evidence.earlier, alice);
    QCOMPARE(probe.row("L")->lock.holders, QList<Holder>{exclusive(bob)});
}

void TestDiagnosisServer::aReaderThatDiesBesideAnotherIsFound() {
    const auto alive = client(30s);
    auto doomed = client(1500ms);
    const auto readBy = [](locks::LockClient& client) {
        return test::waitFor(client.readWriteLock(LockName("W")).readLock().lock(worker)).ok();
    };
    QVERIFY(readBy(*doomed));
    QVERIFY(readBy(*alive));
    const HolderId dead(doomed->id(), worker);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.row("W")->lock.readLeases().size(), 2);
    doomed.reset();
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList{"begin zombie_reader likely"}, 15000);
    const auto evidence = std::get<ZombieReader>(probe.diagnoses.front().diagnosis->evidence);
    QCOMPARE(evidence.reader, dead);
    QCOMPARE(evidence.holds, 1);
    QCOMPARE(evidence.keys, 0);
    QVERIFY(test::waitFor(alive->readWriteLock(LockName("W")).readLock().unlock(worker)).ok());
    QTRY_COMPARE(told(probe), QByteArrayList({"begin zombie_reader likely", "end zombie_reader likely"}));
}

// As the real client's forceUnlock() does.
void TestDiagnosisServer::whatAForceLeavesBehindIsFound() {
    RecordedState("readwrite-force.json", "A.readLock W").writeTo(m_server, 9s, 0ms);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.row("W")->lock.readLeases().size(), 1);
    m_hand.releaseOn("W", "redisson_rwlock:{W}");
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList{"begin zombie_reader certain"}, 15000);
    QCOMPARE(std::get<ZombieReader>(probe.diagnoses.front().diagnosis->evidence).keys, 1);
    QVERIFY(!probe.row("W")->lock.isHeld());
    QTRY_COMPARE_WITH_TIMEOUT(told(probe), QByteArrayList({"begin zombie_reader certain", "end zombie_reader certain"}),
                              15000);
}

// As recorded: A's watchdog has cut B's lease short, A is killed, and the lock expires while B reads.
void TestDiagnosisServer::aReaderCutShortByAnotherIsFound() {
    const HolderId cutter = *HolderId::parse(RecordedState::withUuids("<A>:19").toLatin1());
    const HolderId cutShort = *HolderId::parse(RecordedState::withUuids("<B>:26").toLatin1());
    constexpr int slowly = 3;
    RecordedState("mixed_readers.json", "C.writeLock R starts waiting").writeAsRecorded(m_server, slowly);
    MonitorProbe probe(m_server.options());
    QTRY_COMPARE(told(probe), QByteArrayList{"begin reader_cut_short certain"});
    const auto evidence = std::get<ReaderCutShort>(probe.diagnoses.front().diagnosis->evidence);
    QCOMPARE(evidence.reader, cutShort);
    QCOMPARE(evidence.shortenedBy, std::optional(cutter));
    const Milliseconds cut = std::chrono::duration_cast<Milliseconds>(evidence.leaseEnds - evidence.lockEnds);
    QVERIFY(std::chrono::abs(cut - slowly * Milliseconds(57772 - 2025)) < shortestCut);
    // The lock has expired, and its reader does not know it.
    QTRY_COMPARE_WITH_TIMEOUT(told(probe),
                              QByteArrayList({"begin reader_cut_short certain", "end reader_cut_short certain",
                                              "begin zombie_reader certain"}),
                              20000);
}

void TestDiagnosisServer::aStormBehindADeadHeadIsFound_data() {
    QTest::addColumn<bool>("isProven");
    QTest::newRow("one server") << true;
    QTest::newRow("beside a replica, on which the head may listen") << false;
}

// As recorded: the release has gone to A, which was killed, and D, behind it, asks again and again.
void TestDiagnosisServer::aStormBehindADeadHeadIsFound() {
    QFETCH(bool, isProven);
    test::RedisServer replica;
    if (!isProven) {
        QVERIFY(replica.start());
        replica.cli({"REPLICAOF", "127.0.0.1", QString::number(m_server.port())});
        QTRY_VERIFY(m_server.cli({"INFO", "replication"}).contains("state=online"));
    }
    RecordedState("fair_deadlines.json",
                  "6 s later: nobody holds F, its dead head keeps it, D asks again and again without a pause")
        .writeAsRecorded(m_server);
    const auto options = m_server.options();
    redis::Connection waiter(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    waiter.open();
    QTRY_VERIFY(waiter.isReady());
    waiter.send(
        redis::Command("SUBSCRIBE", {RecordedState::withUuids("redisson_lock__channel:{F}:<D>:40").toLatin1()}));
    QTimer storm;
    connect(&storm, &QTimer::timeout, &waiter, [&waiter] {
        for (int i = 0; i < 200; ++i)
            waiter.send(redis::Command("PING"));
    });
    storm.start(50ms);
    MonitorProbe probe(m_server.options());
    QTRY_COMPARE_WITH_TIMEOUT(told(probe).size(), isProven ? 3 : 2, 40000);
    QCOMPARE(told(probe).front(), QByteArray("begin fair_queue_blocked likely"));
    QCOMPARE(told(probe).contains("begin fair_queue_blocked certain"), isProven);
    QVERIFY(told(probe).contains("begin fair_queue_storm likely"));
    const QList<Diagnosis> found = probe.row("F")->diagnoses;
    const auto evidence = std::get<FairQueueStorm>(found.first().evidence);
    QCOMPARE(evidence.head, *HolderId::parse(RecordedState::withUuids("<A>:19").toLatin1()));
    QCOMPARE(evidence.awake, 1);
    QVERIFY(evidence.commandsPerSecond.value() >= stormRate);
    QCOMPARE(found.last().certainty, isProven ? Certainty::Certain : Certainty::Likely);
    QCOMPARE(found.last().kind(), DiagnosisKind::FairQueueBlocked);
}

// One of the holders gives up in the end.
void TestDiagnosisServer::holdersThatWaitForEachOtherAreFound() {
    const auto one = client(30s);
    const auto other = client(30s);
    const LockName a("A");
    const LockName b("B");
    QVERIFY(test::waitFor(one->fairLock(a).lock(worker, std::nullopt)).ok());
    QVERIFY(test::waitFor(other->fairLock(b).lock(worker, std::nullopt)).ok());
    const auto forB = test::start(one->fairLock(b).tryLock(worker, Deadline::in(m_clock, 10s)));
    const auto forA = test::start(other->fairLock(a).tryLock(worker, Deadline::never(m_clock)));
    MonitorProbe probe(m_server.options());
    QTRY_COMPARE(told(probe), QByteArrayList({"begin deadlock likely", "begin deadlock likely"}));
    const Deadlock found = std::get<Deadlock>(probe.row("A")->diagnoses.first().evidence);
    QCOMPARE(found.holder, HolderId(one->id(), worker));
    QCOMPARE(found.waitsFor, b);
    QCOMPARE(found.heldBy, HolderId(other->id(), worker));
    QCOMPARE(found.holders, 2);
    QTRY_COMPARE_WITH_TIMEOUT(probe.diagnoses.size(), size_t(4), 20000);
    QCOMPARE(told(probe).last(), QByteArray("end deadlock likely"));
    QVERIFY(forB->has_value() && !forA->has_value());
}

LOCKKEEPER_TEST(TestDiagnosisServer, Guiless)

}  // namespace tst_diagnosis_server

#include "tst_diagnosis_server.moc"
