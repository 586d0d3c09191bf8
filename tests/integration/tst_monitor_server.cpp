// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"
#include "monitor/format/watchingwords.h"
#include "support/monitorprobe.h"
#include "support/recordedstate.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitor_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a Monitor reports about a real server, while the test does the clients' work by hand.
class TestMonitorServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void followsALockFromItsDiscoveryToItsRelease();
    void aNewLockIsFoundByTheNextSweep();
    void aMessageMakesItsLockKnownAtOnce();
    void underAPrefixNewLocksAreSeenAtOnce();
    void underKnownNamesNewLocksAreSeenAtOnce();
    void pausedItFindsNothingNewByItself();
    void findsLocksThatMatch();
    void asksNotToBeEvicted();
    void twoNamesThatShareAChannelAreBothFollowed();
    void tellsExpiryFromDeletion();
    void aLockWhoseReleasesHaveAMessageIsDeleted();
    void aSpinLockIsReleasedAndHandedOver();
    void aFlushDeletesLocks();
    void aTtlThatIsSetIsNoRelease();
    void tellsTheEndOfALongLease();
    void tellsAHandOverFromASuspectOne();
    void theSameHolderMayLetGoAndComeBack();
    void countsWhoWaits();
    void followsAFairLockThroughItsQueue();
    void followsReadersAndWriters();
    void readsAFencedLocksToken();
    void takesAFasterMultiLockApart();
    void readsTheLeasesOfRecordedReaders_data();
    void readsTheLeasesOfRecordedReaders();
    void aReadersOwnLeaseIsFollowed();
    void ofVeryManyReadersOnlySomeAreRead_data();
    void ofVeryManyReadersOnlySomeAreRead();
    void aLockThatGetsVeryManyReadersIsFollowed();
    void aLockThatTurnsIntoSomethingElseIsGone();
    void showsLocksOfOtherPrograms();
    void aLockOfAnotherProgramNeedsAName();
    void forgetsWhatIsFree();
    void anyNameIsALocksName_data();
    void anyNameIsALocksName();
    void findsAFreeFairLockWithNobodyButDeadWaiters();
    void readsAgainWhenAsked();

private:
    // Adds this many readers of W, each with a count of 1.
    void addReaders(int count);

    RedisServer m_server;
    ServerHand m_hand{m_server};
};

void TestMonitorServer::followsALockFromItsDiscoveryToItsRelease() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QCOMPARE(probe.lastSweep.sweptLocks, quint64{1});
    QCOMPARE(probe.lastSweep.sweptKeys, quint64{1});
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
    QCOMPARE(denialLines(probe.stats.denied), QStringList());
    QCOMPARE(probe.statuses.back().phase, MonitorPhase::Watching);
    QVERIFY(!probe.row("L")->hold.isBeginSeen());
    QCOMPARE(probe.row("L")->lock.waiters, std::optional(0));

    m_server.cli({"HINCRBY", "L", alice.display(), "1"});
    QCOMPARE(probe.next(1), QByteArrayList{"reentered alice"});
    m_server.cli({"HINCRBY", "L", alice.display(), "-1"});
    QCOMPARE(probe.next(1), QByteArrayList{"released_once alice"});
    m_server.cli({"PEXPIRE", "L", "60000"});
    QCOMPARE(probe.next(1), QByteArrayList{"renewed alice"});
    QCOMPARE(probe.row("L")->hold.renewals, quint64{1});
    m_hand.release("L");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    QVERIFY(!probe.row("L")->lock.isHeld());
    m_hand.take("L", bob);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired bob"});
    QVERIFY(probe.row("L")->hold.isBeginSeen());
}

void TestMonitorServer::aNewLockIsFoundByTheNextSweep() {
    for (int i = 0; i < 5; ++i)
        m_server.cli({"DEBUG", "POPULATE", "1500", "filler" + QString::number(i)});
    MonitorOptions options;
    options.writeLimits.commandsPerSecond = -1;  // writes are not reported: only a sweep finds the lock
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    const quint64 before = probe.sweeps;
    m_hand.take("new", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
    // The sweep that is under way has passed it, or the next one finds it.
    QVERIFY2(probe.sweeps <= before + 2, qPrintable(QString::number(probe.sweeps - before)));
}

void TestMonitorServer::aMessageMakesItsLockKnownAtOnce() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    probe.monitor().setDiscovery(DiscoveryState::Paused);  // no sweep finds it
    m_hand.replace("new", alice, true);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
    m_hand.take("short", bob);
    m_hand.release("short");
    QCOMPARE(probe.next(1), QByteArrayList{"released"});
    QVERIFY(probe.row("short"));
}

void TestMonitorServer::underAPrefixNewLocksAreSeenAtOnce() {
    MonitorOptions options;
    options.discovery.prefixes = {"jobs:", "jobs:eu:"};
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    QTRY_VERIFY(m_server.cli({"CLIENT", "LIST"}).contains("flags=PtB"));
    // Sweeps and the reports of each write are off, so neither can find the lock.
    probe.monitor().setDiscovery(DiscoveryState::Paused);
    QTRY_COMPARE(probe.stats.discovery, DiscoveryState::Paused);
    m_server.cli({"SET", "jobs:text", "no lock"});
    m_server.cli({"HSET", "jobs:hash", "no", "lock"});
    m_hand.take("jobs:1", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
    m_hand.release("jobs:1");
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    m_hand.take("other:1", bob);
    QCOMPARE(probe.next(1, 300), QByteArrayList());
    QCOMPARE(probe.rows.keys(), QByteArrayList{"jobs:1"});
}

void TestMonitorServer::underKnownNamesNewLocksAreSeenAtOnce() {
    MonitorOptions options;
    options.knownNames = {LockName("known"), LockName("held"), LockName("a hash")};
    options.limits.keepFree = 300ms;
    m_hand.take("held", bob);
    m_server.cli({"HSET", "a hash", "no", "lock"});
    MonitorProbe probe(m_server.options(), options);
    probe.monitor().setDiscovery(DiscoveryState::Paused);
    QCOMPARE(probe.next(1), QByteArrayList{"found bob"});
    // A deletion is known as such only if the server's clock was read before.
    m_server.cli({"CONFIG", "RESETSTAT"});
    int own = 0;
    QTRY_VERIFY(m_hand.calls("info") > own++);
    m_hand.take("known", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    // Must also work after the lock was forgotten.
    m_server.cli({"DEL", "known"});
    QCOMPARE(probe.next(1), QByteArrayList{"released alice without a message"});
    QTRY_VERIFY(!probe.row("known"));
    m_hand.take("known", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QCOMPARE(probe.sweeps, quint64{0});
}

void TestMonitorServer::pausedItFindsNothingNewByItself() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    probe.monitor().setDiscovery(DiscoveryState::Paused);
    QTRY_COMPARE(probe.stats.discovery, DiscoveryState::Paused);
    m_hand.take("L", alice);
    const quint64 sweeps = probe.sweeps;
    QCOMPARE(probe.next(1, 2000), QByteArrayList());
    QVERIFY(probe.sweeps <= sweeps + 1);
    probe.monitor().setDiscovery(DiscoveryState::Running);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
}

void TestMonitorServer::findsLocksThatMatch() {
    for (const char* name : {"orders/1", "orders/2", "jobs:1", "jobs:10", "other"})
        m_hand.take(name, alice);
    MonitorOptions options;
    options.discovery.matches = {"orders/*", "jobs:?"};
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.rows.keys(), QByteArrayList({"jobs:1", "orders/1", "orders/2"}));
    m_hand.release("other");
    QCOMPARE(probe.lastSweep.sweptKeys, quint64{5});
    options.discovery.matches = {"jobs:*"};
    MonitorProbe one(m_server.options(), options);
    QVERIFY(one.waitForSweep());
    QTRY_COMPARE(one.rows.keys(), QByteArrayList({"jobs:1", "jobs:10"}));
    QVERIFY(!probe.row("other"));
}

void TestMonitorServer::asksNotToBeEvicted() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    int unevictable = 0;
    for (const QString& client : m_server.cli({"CLIENT", "LIST"}).split('\n'))
        unevictable +=
            client.contains("name=lockkeeper") && client.section("flags=", 1).section(' ', 0, 0).contains('e');
    QCOMPARE(unevictable, 2);
    QTRY_COMPARE(denialLines(probe.stats.denied), QStringList());
}

void TestMonitorServer::twoNamesThatShareAChannelAreBothFollowed() {
    m_hand.take("L", alice);
    m_hand.take("{L}", bob);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(2).size(), 2);
    const int reads = m_hand.calls("evalsha_ro");
    m_server.cli({"PUBLISH", "redisson_lock__channel:{L}", "0"});
    QTRY_COMPARE(m_hand.calls("evalsha_ro"), reads + 2);
}

void TestMonitorServer::tellsExpiryFromDeletion() {
    m_hand.take("expires", alice, 2000);
    m_hand.take("deleted", bob, 30000);
    m_server.cli({"HSET", "forever", carol.display(), "1"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(3).size(), 3);
    QVERIFY(probe.row("forever")->lock.neverExpires());
    m_server.cli({"DEL", "deleted"});
    QCOMPARE(probe.next(1), QByteArrayList{"released bob without a message"});
    m_server.cli({"DEL", "forever"});
    QCOMPARE(probe.next(1), QByteArrayList{"released carol without a message"});
    QCOMPARE(probe.next(1), QByteArrayList{"expired alice"});
}

// A plain lock, whose releases all have a message, is not taken for a spin lock any more.
void TestMonitorServer::aLockWhoseReleasesHaveAMessageIsDeleted() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    for (int i = 0; i < 4; ++i) {
        m_hand.take("L", alice);
        QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
        m_hand.release("L");
        QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    }
    m_hand.take("L", alice);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired alice"});
    m_server.cli({"DEL", "L"});
    QCOMPARE(probe.next(1), QByteArrayList{"deleted alice"});
}

// Its release is a DEL without a message, and the next holder has tried again by itself.
void TestMonitorServer::aSpinLockIsReleasedAndHandedOver() {
    m_hand.take("spin", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    for (int i = 0; i < 3; ++i) {
        m_hand.replace("spin", bob, false);
        QCOMPARE(probe.next(1), QByteArrayList{"handed_over bob"});
        m_hand.replace("spin", alice, false);
        QCOMPARE(probe.next(1), QByteArrayList{"handed_over alice"});
    }
    m_server.cli({"DEL", "spin"});
    QCOMPARE(probe.next(1), QByteArrayList{"released alice without a message"});
}

void TestMonitorServer::aFlushDeletesLocks() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    m_server.cli({"FLUSHALL"});
    QCOMPARE(probe.next(1), QByteArrayList{"deleted alice"});
}

// Who sets the TTL wakes the waiters by a message; nobody has released the lock.
void TestMonitorServer::aTtlThatIsSetIsNoRelease() {
    m_server.cli({"HSET", "L", "mode", "read", alice.display(), "1"});
    m_server.cli({"HSET", "M", bob.display(), "1"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(2).size(), 2);
    m_hand.together("PEXPIRE L 60000\nPUBLISH redisson_rwlock:{L} 1");
    m_hand.together("PEXPIRE M 60000\nPUBLISH redisson_lock__channel:{M} 1");
    QTRY_VERIFY(probe.row("L")->lock.ttl && probe.row("M")->lock.ttl);
    m_hand.release("M");
    QCOMPARE(probe.next(1), QByteArrayList{"released bob"});
    QCOMPARE(probe.row("M")->releasesReceived, quint64{1});
}

// There was no read shortly before; often it is the read that makes the key expire, and the server reports that only
// afterwards.
void TestMonitorServer::tellsTheEndOfALongLease() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.stats.observation, ObservationMode::Tracking);
    for (int i = 0; i < 5; ++i)
        m_hand.take(QStringLiteral("L%1").arg(i), alice, 4000 + 37 * i);
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(5), QByteArrayList(5, "acquired alice"));
    QCOMPARE(probe.next(5), QByteArrayList(5, "expired alice"));
}

void TestMonitorServer::tellsAHandOverFromASuspectOne() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    for (int i = 0; i < 2; ++i) {
        m_hand.replace("L", bob, true);
        QCOMPARE(probe.next(1), QByteArrayList{"handed_over bob"});
        m_hand.replace("L", alice, true);
        QCOMPARE(probe.next(1), QByteArrayList{"handed_over alice"});
    }
    m_hand.replace("L", carol, false);
    QCOMPARE(probe.next(1), QByteArrayList{"handed_over carol suspect"});
}

void TestMonitorServer::theSameHolderMayLetGoAndComeBack() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    m_hand.replace("L", alice, true);
    QCOMPARE(probe.next(2), QByteArrayList({"released alice", "acquired alice"}));
    // A wake-up published by hand is not a release.
    const int reads = m_hand.calls("evalsha_ro");
    m_server.cli({"PUBLISH", "redisson_lock__channel:{L}", "0"});
    QTRY_VERIFY(m_hand.calls("evalsha_ro") > reads);
    m_server.cli({"PEXPIRE", "L", "90000"});
    QCOMPARE(probe.next(1), QByteArrayList{"renewed alice"});
}

void TestMonitorServer::countsWhoWaits() {
    m_hand.take("L", alice);
    SystemClock clock;
    const auto options = m_server.options();
    redis::Connection waiter(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, clock);
    waiter.open();
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QTRY_VERIFY(waiter.isReady());
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{L}"}));
    QCOMPARE(probe.next(1), QByteArrayList{"waiters"});
    QCOMPARE(probe.row("L")->lock.waiters, std::optional(1));
    // A lock that is free but has waiters gets a row.
    waiter.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{nobody's}"}));
    QCOMPARE(probe.next(1), QByteArrayList{"waiters"});
    QVERIFY(!probe.row("nobody's")->lock.isHeld());
    QCOMPARE(probe.row("nobody's")->lock.waiters, std::optional(1));
    waiter.close();
    QCOMPARE(probe.next(2), QByteArrayList({"waiters", "waiters"}));
    QCOMPARE(probe.row("L")->lock.waiters, std::optional(0));
}

void TestMonitorServer::followsAFairLockThroughItsQueue() {
    m_hand.take("F", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QCOMPARE(probe.row("F")->lock.kind, LockKind::Reentrant);
    m_hand.queueUp("F", bob);
    QCOMPARE(probe.next(1), QByteArrayList{"waiters"});
    QCOMPARE(probe.row("F")->lock.kind, LockKind::Fair);
    QCOMPARE(probe.row("F")->lock.fairQueue.size(), 1);
    QCOMPARE(probe.row("F")->lock.fairQueue.first().id, bob);
    QVERIFY(probe.row("F")->lock.fairQueue.first().deadline);
    m_hand.releaseOn("F", "redisson_lock__channel:{F}:" + bob.display());
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
    m_server.cli({"EVAL",
                  "redis.call('del', KEYS[1], KEYS[2]) redis.call('hset', KEYS[3], ARGV[1], 1) redis.call('pexpire', "
                  "KEYS[3], 30000)",
                  "3", "redisson_lock_queue:{F}", "redisson_lock_timeout:{F}", "F", bob.display()});
    QCOMPARE(probe.next(2), QByteArrayList({"acquired bob", "waiters"}));
    QCOMPARE(probe.row("F")->lock.kind, LockKind::Fair);
    // No waiters: a fair lock is released without a message.
    m_server.cli({"DEL", "F"});
    QCOMPARE(probe.next(1), QByteArrayList{"released bob without a message"});
}

void TestMonitorServer::followsReadersAndWriters() {
    m_server.cli({"HSET", "W", "mode", "read", alice.display(), "1"});
    m_server.cli({"PEXPIRE", "W", "30000"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice read"});
    QCOMPARE(probe.row("W")->lock.kind, LockKind::ReadWrite);
    m_server.cli({"HSET", "W", bob.display(), "1"});
    QCOMPARE(probe.next(1), QByteArrayList{"acquired bob read"});
    m_server.cli({"HDEL", "W", alice.display()});
    QCOMPARE(probe.next(1), QByteArrayList{"released alice read"});
    m_hand.releaseOn("W", "redisson_rwlock:{W}");
    QCOMPARE(probe.next(1), QByteArrayList{"released bob read"});
    m_hand.together("HSET W mode write " + carol.bytes() + ":write 1\nPEXPIRE W 30000");
    QCOMPARE(probe.next(1), QByteArrayList{"acquired carol write"});
    m_server.cli({"HSET", "W", carol.display(), "1"});
    QCOMPARE(probe.next(1), QByteArrayList{"acquired carol read"});
    m_hand.together("HDEL W " + carol.bytes() + ":write\nHSET W mode read");
    QCOMPARE(probe.next(1), QByteArrayList{"released carol write"});
}

void TestMonitorServer::readsAFencedLocksToken() {
    m_hand.take("N", alice);
    m_server.cli({"SET", "redisson_lock_token:{N}", "41"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.row("N")->lock.kind, LockKind::Fenced);
    QCOMPARE(probe.row("N")->lock.token, std::optional<qint64>(41));
    m_server.cli({"INCR", "redisson_lock_token:{N}"});
    QTRY_COMPARE(probe.row("N")->lock.token, std::optional<qint64>(42));
}

void TestMonitorServer::takesAFasterMultiLockApart() {
    const QString owner = alice.display();
    m_server.cli({"HSET", "group", "h1", owner, "h1:" + owner + ":expire_time", "1700000300123",
                  "h1:" + owner + ":lock_count", "1"});
    const HeldValue h1{"h1", alice, 1, WallTime(1700000300123ms)};
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.row("group")->lock.kind, LockKind::FasterMulti);
    QCOMPARE(probe.row("group")->lock.holders, QList<Holder>{exclusive(alice)});
    QCOMPARE(probe.row("group")->lock.values(), QList<HeldValue>{h1});
    const QString other = bob.display();
    m_server.cli({"HSET", "group", "h0", other, "h0:" + other + ":expire_time", "1700000300123",
                  "h0:" + other + ":lock_count", "2"});
    const HeldValue h0{"h0", bob, 2, WallTime(1700000300123ms)};
    QTRY_COMPARE(probe.row("group")->lock.values(), (QList<HeldValue>{h0, h1}));
    QVERIFY(probe.row("group")->diagnoses.isEmpty());
}

void TestMonitorServer::readsTheLeasesOfRecordedReaders_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("step");
    QTest::addColumn<QByteArrayList>("leases");
    const auto row = [](const char* file, const char* step, const QByteArrayList& leases) {
        QTest::newRow(step) << QString(file) + ".json" << QString(step) << leases;
    };
    row("readwrite", "A.readLock W", {"A 1"});
    row("readwrite", "B.readLock W", {"A 1", "A 2", "B 1"});
    row("readwrite", "A.readUnlock W (2 -> 1)", {"A 1", "B 1"});
    row("readwrite", "B.readUnlock W, C takes it", {});
    row("readwrite", "C.readLock W under its write lock", {"C 1"});
    row("readwrite", "C.writeUnlock W (1 -> 0): downgrade to read", {"C 1"});
}

// The keys as the real client left them.
void TestMonitorServer::readsTheLeasesOfRecordedReaders() {
    QFETCH(const QString, file);
    QFETCH(const QString, step);
    QFETCH(const QByteArrayList, leases);
    RecordedState(file, step).writeTo(m_server, 30s, 0ms);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_VERIFY(probe.row("W"));
    const LockSnapshot lock = probe.row("W")->lock;
    QVERIFY(lock.parts && lock.parts->areLeasesWhole);
    QByteArrayList found;
    for (const ReadLease& lease : lock.readLeases()) {
        found << lease.reader.bytes().left(1).toUpper() + ' ' + QByteArray::number(lease.hold);
        QVERIFY(lease.expiry->latest - lock.seenAt > 20s);
    }
    QCOMPARE(found, leases);
    QVERIFY(probe.row("W")->diagnoses.isEmpty());
}

void TestMonitorServer::aReadersOwnLeaseIsFollowed() {
    const QString name = "rw/{1}";
    m_server.cli({"HSET", name, "mode", "read", alice.display(), "1", bob.display(), "1"});
    m_server.cli({"PEXPIRE", name, "30000"});
    // Redisson adds no braces to a name that contains one.
    m_server.cli({"SET", name + ':' + alice.display() + ":rwlock_timeout:1", "1", "PX", "30000"});
    m_server.cli({"SET", name + ':' + bob.display() + ":rwlock_timeout:1", "1", "PX", "10000"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.row(name.toUtf8())->lock.readLeases().size(), 2);
    const auto restOfBob = [&] {
        const LockSnapshot& lock = probe.row(name.toUtf8())->lock;
        return lock.readLeases().at(0).expiry->latest - lock.seenAt;
    };
    QCOMPARE(probe.row(name.toUtf8())->lock.readLeases().at(0).reader, bob);
    QVERIFY(restOfBob() < 11s);
    // Sets the TTLs as bob's watchdog does.
    m_hand.together("PEXPIRE " + name.toUtf8() + " 30000\nPEXPIRE " + name.toUtf8() + ':' + bob.bytes() +
                    ":rwlock_timeout:1 20000");
    QTRY_VERIFY(restOfBob() > 15s);
    // A change of this key alone is only noticed when it expires.
    m_server.cli({"PEXPIRE", name + ':' + bob.display() + ":rwlock_timeout:1", "300"});
    m_server.cli({"PEXPIRE", name, "30000"});
    QTRY_COMPARE(probe.row(name.toUtf8())->lock.readLeases().size(), 1);
}

void TestMonitorServer::addReaders(int count) {
    m_server.cli({"EVAL",
                  "redis.call('hset', 'W', 'mode', 'read') for i = 1, tonumber(ARGV[2]) do "
                  "redis.call('hset', 'W', ARGV[1] .. ':' .. i, 1) end redis.call('pexpire', 'W', 30000)",
                  "0", QString::fromLatin1(alice.client().bytes()), QString::number(count)});
}

void TestMonitorServer::ofVeryManyReadersOnlySomeAreRead_data() {
    QTest::addColumn<QStringList>("denied");
    QTest::newRow("by a script") << QStringList();
    QTest::newRow("in a transaction") << QStringList{"-eval_ro", "-evalsha_ro"};
    QTest::newRow("by plain commands") << QStringList{"-eval_ro", "-evalsha_ro", "-multi"};
}

void TestMonitorServer::ofVeryManyReadersOnlySomeAreRead() {
    QFETCH(const QStringList, denied);
    m_server.cli(QStringList{"ACL", "SETUSER", "default"} + denied);
    addReaders(1500);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found"});
    const LockSnapshot lock = probe.row("W")->lock;
    QCOMPARE(lock.kind, LockKind::ReadWrite);
    QVERIFY(lock.isCut());
    QCOMPARE(lock.holderCount(), 1500);
    QVERIFY2(lock.holders.size() >= 50 && lock.holders.size() <= 100, qPrintable(QString::number(lock.holders.size())));
    QCOMPARE(lock.holders.first().mode, HoldMode::Read);

    // It is not known who has left: it may be one of the readers that were not read.
    m_server.cli({"HDEL", "W", QString::fromLatin1(alice.client().bytes()) + ":7"});
    QTRY_COMPARE(probe.row("W")->lock.holderCount(), 1499);
    QVERIFY(probe.events.empty());
    QVERIFY(probe.diagnoses.empty());
    m_server.cli({"EVAL", "redis.call('del', 'W') redis.call('publish', 'redisson_rwlock:{W}', '0')", "0"});
    QCOMPARE(probe.next(1), QByteArrayList{"released"});
    QVERIFY(!probe.row("W")->lock.isHeld());
}

void TestMonitorServer::aLockThatGetsVeryManyReadersIsFollowed() {
    addReaders(2);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    (void)probe.next(1);
    addReaders(1500);
    QTRY_COMPARE(probe.row("W")->lock.holderCount(), 1500);
    QVERIFY(probe.row("W")->lock.isCut());
    m_server.cli({"EVAL", "for i = 2, 1500 do redis.call('hdel', 'W', ARGV[1] .. ':' .. i) end", "0",
                  QString::fromLatin1(alice.client().bytes())});
    QTRY_COMPARE(probe.row("W")->lock.holderCount(), 1);
    QVERIFY(!probe.row("W")->lock.isCut());
    QCOMPARE(probe.row("W")->lock.holders.first().id.thread(), ThreadId{1});
    QVERIFY(probe.events.empty());
}

void TestMonitorServer::aLockThatTurnsIntoSomethingElseIsGone() {
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    m_server.cli({"SET", "L", "a string"});
    QCOMPARE(probe.next(1), QByteArrayList{"released alice without a message"});
    QVERIFY(!probe.row("L")->lock.isHeld());
}

void TestMonitorServer::showsLocksOfOtherPrograms() {
    const QString two = alice.display().left(37) + bob.display().left(36);
    m_server.cli({"HSET", "U", two, "1"});
    m_server.cli({"HSET", "W", "mode", "read-write", alice.display(), "1"});
    m_server.cli({"HSET", "R", "mode", "read", alice.display(), "1", alice.display().left(37) + "main", "1"});
    for (const char* name : {"U", "W", "R"})
        m_server.cli({"PEXPIRE", name, "60000"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QTRY_COMPARE(probe.rows.size(), 3);
    for (const char* name : {"U", "W", "R"}) {
        QCOMPARE(probe.row(name)->lock.kind, LockKind::Unknown);
        QVERIFY(probe.row(name)->lock.isOfOtherProgram());
    }
    QCOMPARE(probe.row("U")->lock.holders.first().id.bytes(), two.toLatin1());
    QCOMPARE(probe.row("R")->lock.holders.size(), 2);
    probe.events.clear();
    m_server.cli({"DEL", "U"});
    const QByteArrayList gone = probe.next(1);
    QCOMPARE(gone.size(), 1);
    QVERIFY2(gone.first().startsWith("gone "), gone.first().constData());
}

// Many hashes look like this one.
void TestMonitorServer::aLockOfAnotherProgramNeedsAName() {
    for (const char* name : {"L", "counter", "N"})
        m_server.cli({"HSET", name, "svc:1", "1"});
    m_server.cli({"PEXPIRE", "L", "60000"});
    m_server.cli({"PEXPIRE", "N", "60000"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.rows.size(), 0);
    // A release of these names was announced: but one of them has no lease, so it is a counter.
    m_server.cli({"PUBLISH", "redisson_lock__channel:{counter}", "0"});
    m_server.cli({"PUBLISH", "redisson_lock__channel:{L}", "0"});
    QTRY_VERIFY(probe.row("L"));
    QCOMPARE(probe.row("L")->lock.holders.first().id.bytes(), QByteArray("svc:1"));
    QCOMPARE(probe.rows.size(), 1);
    QVERIFY(probe.diagnoses.empty());

    MonitorOptions options;
    options.discovery.matches = {"N*"};
    MonitorProbe named(m_server.options(), options);
    QTRY_VERIFY(named.row("N"));
    QVERIFY(named.row("N")->lock.isOfOtherProgram());
}

void TestMonitorServer::forgetsWhatIsFree() {
    m_hand.take("L", alice);
    MonitorOptions options;
    options.limits.keepFree = 200ms;
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    m_hand.release("L");
    QCOMPARE(probe.next(2), QByteArrayList({"found alice", "released alice"}));
    QVERIFY(probe.row("L"));
    QTRY_VERIFY(!probe.row("L"));
    m_hand.take("L", bob);
    QCOMPARE(probe.next(1), QByteArrayList{"acquired bob"});
}

void TestMonitorServer::anyNameIsALocksName_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("spaces") << QByteArray("a b  c");
    QTest::newRow("newlines") << QByteArray("a\nb\r\nc");
    QTest::newRow("quotes") << QByteArray("say \"it's\"");
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe\x01z", 5);
    QTest::newRow("10 kB") << QByteArray(10240, 'x');
    QTest::newRow("braces") << QByteArray("orders/{42}");
    QTest::newRow("half a brace") << QByteArray("{only");
    QTest::newRow("Chinese") << QByteArray("锁");
    QTest::newRow("a glob") << QByteArray("*?[a]");
}

void TestMonitorServer::anyNameIsALocksName() {
    QFETCH(const QByteArray, name);
    const QByteArray channel = locks::LockKeys(LockName(name)).channel();
    SystemClock clock;
    const auto options = m_server.options();
    redis::Connection hand(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, clock);
    hand.open();
    QTRY_VERIFY(hand.isReady());
    hand.send(redis::Command("HSET", {name, alice.bytes(), "1"}));
    hand.send(redis::Command("PEXPIRE", {name, "30000"}));
    QTRY_COMPARE(m_server.cli({"DBSIZE"}), "1");
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QVERIFY(probe.row(name));
    hand.send(
        redis::Command("EVAL", {"redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')", "2", name, channel}));
    QCOMPARE(probe.next(1), QByteArrayList{"released alice"});
}

void TestMonitorServer::findsAFreeFairLockWithNobodyButDeadWaiters() {
    m_hand.take("F", alice);
    m_hand.queueUp("F", bob);
    m_server.cli({"DEL", "F"});
    MonitorProbe probe(m_server.options());
    QTRY_VERIFY(probe.row("F"));
    QCOMPARE(probe.row("F")->lock.kind, LockKind::Fair);
    QVERIFY(!probe.row("F")->lock.isHeld());
    QCOMPARE(probe.row("F")->lock.fairQueue.first().id, bob);
}

void TestMonitorServer::readsAgainWhenAsked() {
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    m_hand.take("L", alice);
    probe.monitor().readAgain(LockName("L"));
    QCOMPARE(probe.next(1, 1000), QByteArrayList{"acquired alice"});
    const int before = m_hand.calls("evalsha_ro");
    probe.monitor().readAgain(LockName("L"));
    QTRY_VERIFY(m_hand.calls("evalsha_ro") > before);
}

LOCKKEEPER_TEST(TestMonitorServer, Guiless)

}  // namespace tst_monitor_server

#include "tst_monitor_server.moc"
