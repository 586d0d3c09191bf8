// SPDX-License-Identifier: Apache-2.0
#include "async/whendone.h"
#include "control/compareandrelease.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "support/clustersetup.h"
#include "support/monitorprobe.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"
#include "topology/shardconnections.h"

#include <QDateTime>
#include <QTest>

namespace tst_clusterdiagnoses {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

QByteArray channelOf(const QByteArray& name) {
    return "redisson_lock__channel:{" + name + '}';
}

}  // namespace

// What a Monitor concludes about clients of a real Cluster, from the sequences that were recorded with Redisson
// (cluster_waiting_reshard, cluster_latch_reshard).
class TestClusterDiagnoses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void whoWaitedForALockThatMovedIsDeaf();
    void aWaiterOfOurOwnIsNotDeaf();
    void whoWaitedForALatchOrASemaphoreIsDeaf();
    void aSemaphoreIsReadAndChangedAtItsOwner();
    void aNodeWithoutTheScriptsIsNamed();
    void anotherMonitorMakesACountAnUpperBound();
    void aFreeLockIsFoundByAWaiterOnAnotherNode();

private:
    [[nodiscard]] std::unique_ptr<redis::Connection> connectTo(RedisServer& server);
    [[nodiscard]] std::unique_ptr<redis::Connection> subscribe(size_t master, const QByteArray& command,
                                                               const QByteArray& channel);
    [[nodiscard]] bool moveFirstTo(size_t master, const QByteArray& key) {
        return m_cluster->moveSlot(topology::hashSlotOf(key), 0, master);
    }
    [[nodiscard]] QByteArray keyOf(size_t master, const QByteArray& prefix) const;
    [[nodiscard]] std::unique_ptr<topology::ClusterSource> findShards();
    void watch();
    [[nodiscard]] const LockRow* row(const QByteArray& name) const { return m_probe->row(name); }
    [[nodiscard]] QByteArrayList told() const;
    [[nodiscard]] const Synchronizer* synchronizer(const QByteArray& name) const;

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
    std::unique_ptr<topology::ClusterSource> m_shards;
    std::unique_ptr<MonitorProbe> m_probe;
    SynchronizerReading m_synchronizers;
};

void TestClusterDiagnoses::init() {
    m_cluster = std::make_unique<ClusterSetup>(3);
    QVERIFY(m_cluster->start());
    m_synchronizers = {};
}

void TestClusterDiagnoses::cleanup() {
    m_probe.reset();
    m_shards.reset();
    m_cluster.reset();
}

std::unique_ptr<topology::ClusterSource> TestClusterDiagnoses::findShards() {
    const QList<topology::Address> first{{QStringLiteral("127.0.0.1"), m_cluster->master(0).port()}};
    return std::make_unique<topology::ClusterSource>(first, redis::ConnectionOptions(), topology::Dialer(), m_clock);
}

void TestClusterDiagnoses::watch() {
    m_shards = findShards();
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    connect(&m_probe->monitor(), &Monitor::batchReady, this, [this](const SharedBatch& batch) {
        if (batch->synchronizers)
            m_synchronizers = *batch->synchronizers;
    });
    QVERIFY(m_probe->waitForSweep());
}

QByteArray TestClusterDiagnoses::keyOf(size_t master, const QByteArray& prefix) const {
    for (int i = 0;; ++i) {
        const QByteArray name = prefix + QByteArray::number(i);
        if (m_cluster->firstOwnerOf(name) == master)
            return name;
    }
}

std::unique_ptr<redis::Connection> TestClusterDiagnoses::connectTo(RedisServer& server) {
    redis::ConnectionOptions options = server.tcpOptions();
    options.clientName = "orders";
    auto connection = std::make_unique<redis::Connection>(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    connection->open();
    return QTest::qWaitFor([&] { return connection->isReady(); }) ? std::move(connection) : nullptr;
}

std::unique_ptr<redis::Connection> TestClusterDiagnoses::subscribe(size_t master, const QByteArray& command,
                                                                   const QByteArray& channel) {
    std::unique_ptr<redis::Connection> client = connectTo(m_cluster->master(master));
    if (client)
        client->send(redis::Command(command, {channel}));
    return client;
}

// For example "begin deaf_waiters likely".
QByteArrayList TestClusterDiagnoses::told() const {
    QByteArrayList words;
    for (const LockEvent& event : m_probe->diagnoses)
        words << (wordFor(event.phase) + ' ' + wordFor(event.diagnosis->kind()) + ' ' +
                  wordFor(event.diagnosis->certainty))
                     .toLatin1();
    return words;
}

const Synchronizer* TestClusterDiagnoses::synchronizer(const QByteArray& name) const {
    const auto found = std::ranges::find(m_synchronizers.seen, LockName(name), &Synchronizer::name);
    return found == m_synchronizers.seen.end() ? nullptr : &*found;
}

// The last part of cluster_waiting_reshard, with a lease of 40 s: B wakes up only at its end.
void TestClusterDiagnoses::whoWaitedForALockThatMovedIsDeaf() {
    const QByteArray name = keyOf(0, "B");
    ServerHand(m_cluster->master(0)).take(name, alice, 40000);
    const auto waiter = subscribe(0, "SSUBSCRIBE", channelOf(name));
    watch();
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
    // Each sweep begins with a count, and one of the counts is made while the lock is known.
    QVERIFY(m_probe->waitForSweep() && m_probe->waitForSweep());
    QVERIFY(moveFirstTo(1, name));
    QTRY_COMPARE_WITH_TIMEOUT(told(), QByteArrayList{"begin deaf_waiters likely"}, 30000);
    const auto evidence = std::get<DeafWaiters>(m_probe->diagnoses.front().diagnosis->evidence);
    QCOMPARE(evidence.clients, 1);
    QCOMPARE(evidence.earlierNode, m_cluster->address(0).toLatin1());
    QCOMPARE(evidence.node, m_cluster->address(1).toLatin1());
    QVERIFY(row(name)->lock.isHeldBy(alice));
    QCOMPARE(row(name)->lock.waiters, std::optional(0));
    // Another client is not deaf; from then on it is not known whether the first one is.
    const auto other = subscribe(1, "SSUBSCRIBE", channelOf(name));
    QTRY_COMPARE(told(), QByteArrayList({"begin deaf_waiters likely", "end deaf_waiters likely"}));
}

void TestClusterDiagnoses::aWaiterOfOurOwnIsNotDeaf() {
    const QByteArray name = keyOf(0, "K");
    ServerHand(m_cluster->master(0)).take(name, alice, 60000);
    const auto shards = findShards();
    shards->open();
    locks::LockClient client(redis::ConnectionOptions(), *shards, m_clock);
    client.open();
    const locks::ReentrantLock lock = client.reentrantLock(LockName(name));
    bool isTaken = false;
    QObject context;
    whenDone(lock.lock(ThreadId{1}), &context, [&isTaken](const Result<Done>& taken) { isTaken = taken.ok(); });
    watch();
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
    QVERIFY(moveFirstTo(1, name));
    QTRY_COMPARE(row(name)->lock.node->address, m_cluster->address(1));
    const SteadyTime movedAt = m_clock.now();
    const quint64 swept = m_probe->sweeps;
    QTRY_VERIFY_WITH_TIMEOUT(m_clock.now() > movedAt + 14s && m_probe->sweeps > swept + 2, 30000);
    QCOMPARE(told(), QByteArrayList());
    QCOMPARE(row(name)->lock.waiters, std::optional(1));
    m_cluster->master(1).cli(
        {"EVAL", "redis.call('del', KEYS[1]) redis.call('spublish', KEYS[2], '0')", "2", name, channelOf(name)});
    QTRY_VERIFY(isTaken);
}

void TestClusterDiagnoses::whoWaitedForALatchOrASemaphoreIsDeaf() {
    const QByteArray latch = keyOf(0, "L");
    const QByteArray semaphore = keyOf(0, "S");
    m_cluster->master(0).cli({"SET", latch, "1"});
    m_cluster->master(0).cli({"SET", semaphore, "0"});
    const auto first = subscribe(0, "SSUBSCRIBE", "redisson_countdownlatch__channel__{" + latch + '}');
    const auto second = subscribe(0, "SSUBSCRIBE", "redisson_sc:{" + semaphore + '}');
    watch();
    QTRY_VERIFY(synchronizer(latch) && synchronizer(semaphore));
    QVERIFY(moveFirstTo(1, latch));
    QVERIFY(moveFirstTo(2, semaphore));
    QTRY_VERIFY(!synchronizer(latch) && !synchronizer(semaphore));
    QTRY_VERIFY_WITH_TIMEOUT(synchronizer(latch) && synchronizer(semaphore), 30000);
    QCOMPARE(synchronizer(latch)->clients, 0);
    QCOMPARE(synchronizer(latch)->count, std::optional<qint64>(1));
    QCOMPARE(synchronizer(latch)->deaf->clients, 1);
    QCOMPARE(synchronizer(latch)->deaf->node, m_cluster->address(1).toLatin1());
    QCOMPARE(synchronizer(semaphore)->deaf->node, m_cluster->address(2).toLatin1());
    // As the recorded client C, which subscribed after the move and receives a release.
    const auto later = subscribe(2, "SSUBSCRIBE", "redisson_sc:{" + semaphore + '}');
    QTRY_VERIFY(synchronizer(semaphore) && !synchronizer(semaphore)->deaf);
    QCOMPARE(synchronizer(semaphore)->clients, 1);
    QVERIFY(synchronizer(latch)->deaf);
}

// Its value, its leases and its waiters on the sharded channel are those of one node, and so is the return of a permit.
void TestClusterDiagnoses::aSemaphoreIsReadAndChangedAtItsOwner() {
    constexpr size_t owner = 2;
    const QByteArray name = keyOf(owner, "pool");
    const QByteArray leases = '{' + name + "}:timeout";
    const qint64 ended = QDateTime::currentMSecsSinceEpoch() - 60'000;
    RedisServer& server = m_cluster->master(owner);
    server.cli({"SET", name, "0"});
    server.cli({"ZADD", leases, QString::number(ended), "a-permit-of-16-b", "92233720368547758", "b-permit-of-16-b"});
    const auto waiter = subscribe(owner, "SSUBSCRIBE", "redisson_sc:{" + name + '}');
    watch();
    QTRY_VERIFY(synchronizer(name) && synchronizer(name)->clients == 1);
    QCOMPARE(synchronizer(name)->count, std::optional<qint64>(0));
    QCOMPARE(synchronizer(name)->leased, std::optional<qint64>(2));
    const PermitLease over = synchronizer(name)->leases.front();
    QCOMPARE(over.id, QByteArray("a-permit-of-16-b"));
    QCOMPARE(over.ends, std::optional(WallTime(Milliseconds(ended))));
    QTRY_COMPARE(synchronizer(name)->diagnoses.size(), 1);
    QCOMPARE(synchronizer(name)->diagnoses.first().kind(), DiagnosisKind::PermitLeaseOver);

    const auto shards = findShards();
    shards->open();
    redis::ConnectionOptions options;
    options.access = redis::AccessMode::ReadWrite;
    topology::ShardConnections connections(options, *shards, m_clock);
    connections.open();
    QTRY_VERIFY(connections.isReady(name));
    LockSnapshot confirmed;
    confirmed.name = LockName(name);
    control::LockChange change;
    change.kind = control::ChangeKind::GiveBackPermit;
    change.permit = over;
    const auto returned =
        test::waitFor(control::applyChange(&connections, confirmed, change, Deadline::in(m_clock, 10s)));
    QVERIFY2(returned.ok(), returned.ok() ? "" : qPrintable(returned.error().text));
    QCOMPARE(returned.value(), control::BreakOutcome::Broken);
    QCOMPARE(server.cli({"GET", name}), "1");
    QCOMPARE(server.cli({"ZRANGE", leases, "0", "-1"}), "b-permit-of-16-b");
    QCOMPARE(ServerHand(server).calls("spublish"), 1);
    QTRY_VERIFY(synchronizer(name) && synchronizer(name)->leased == std::optional<qint64>(1));
    QCOMPARE(synchronizer(name)->count, std::optional<qint64>(1));
}

// In the first part of cluster_waiting_reshard the new node answered 13,545 EVALSHA with NOSCRIPT in 4 s.
void TestClusterDiagnoses::aNodeWithoutTheScriptsIsNamed() {
    watch();
    const auto client = connectTo(m_cluster->master(1));
    QVERIFY(client);
    // Only what happens after the first count is in the difference to the next one.
    QTRY_VERIFY(ServerHand(m_cluster->master(1)).calls("info") > 0);
    for (int i = 0; i < 13545; ++i)
        client->send(redis::Command("EVALSHA", {QByteArray(40, 'a'), "1", keyOf(1, "L")}));
    QTRY_COMPARE_WITH_TIMEOUT(m_probe->stats.scriptStorms.size(), 1, 30000);
    const ScriptStorm& storm = m_probe->stats.scriptStorms.first();
    QCOMPARE(storm.node, m_cluster->address(1));
    QVERIFY2(storm.errors >= 13000 && storm.errors <= 13545, qPrintable(QString::number(storm.errors)));
}

void TestClusterDiagnoses::anotherMonitorMakesACountAnUpperBound() {
    const QByteArray name = keyOf(0, "L");
    ServerHand(m_cluster->master(0)).take(name, alice, 60000);
    const auto waiter = subscribe(0, "SSUBSCRIBE", channelOf(name));
    watch();
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
    QCOMPARE(row(name)->lock.monitorsAmongWaiters, 0);
    {
        const auto shards = findShards();
        MonitorProbe other(*shards);
        QTRY_COMPARE(row(name)->lock.waiters, std::optional(2));
        QCOMPARE(row(name)->lock.monitorsAmongWaiters, 1);
        QTRY_VERIFY(other.row(name) && other.row(name)->lock.monitorsAmongWaiters == 1);
    }
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
    QCOMPARE(row(name)->lock.monitorsAmongWaiters, 0);
}

void TestClusterDiagnoses::aFreeLockIsFoundByAWaiterOnAnotherNode() {
    const QByteArray name = keyOf(2, "L");
    watch();
    const auto waiter = subscribe(0, "SUBSCRIBE", channelOf(name));
    QTRY_VERIFY_WITH_TIMEOUT(row(name), 10000);
    QCOMPARE(row(name)->lock.node->address, m_cluster->address(2));
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
}

LOCKKEEPER_TEST(TestClusterDiagnoses, Guiless)

}  // namespace tst_clusterdiagnoses

#include "tst_clusterdiagnoses.moc"
