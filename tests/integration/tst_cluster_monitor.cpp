// SPDX-License-Identifier: Apache-2.0
#include "support/clustersetup.h"
#include "support/leastrights.h"
#include "support/monitorprobe.h"
#include "support/serverhand.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"

#include <QTest>

namespace tst_cluster_monitor {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// What a Monitor reports about a real Redis Cluster.
class TestClusterMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void followsTheLocksOfThreeNodes();
    void eachNodeReportsItsOwnWrites();
    void needsFewRights();
    void receivesReleasesByShard();
    void aFairLocksReleaseIsInferred();
    void countsWhoWaitsOnEitherKindOfChannel();
    void aSlotMovesWithItsKeysUnderChanges();
    void anUnknownLockInAMovedSlotIsFound();
    void aKilledMasterFailsOver();
    void aReplicaTakesOverInOrder();

private:
    void start(int masters, int replicasEach = 0);
    void findShards(const redis::ConnectionOptions& options);
    [[nodiscard]] QString keyOf(size_t master, const QString& prefix = QStringLiteral("L")) const;
    [[nodiscard]] ServerHand hand(size_t master) { return ServerHand(m_cluster->master(master)); }
    [[nodiscard]] const LockRow* row(const QString& name) const { return m_probe->row(name.toUtf8()); }
    [[nodiscard]] QByteArrayList eventsOf(const QString& name) const {
        std::vector<LockEvent> ofLock;
        std::ranges::copy_if(m_probe->events, std::back_inserter(ofLock),
                             [&name](const LockEvent& event) { return event.lock.name == LockName(name.toUtf8()); });
        return described(ofLock);
    }
    // The node that keeps the key, as the monitor last described it.
    [[nodiscard]] NodeStatus nodeOf(const QString& key) const {
        const std::optional<topology::ShardId> shard = m_shards->shardOfKey(key.toUtf8());
        const QList<NodeStatus>& nodes = m_probe->stats.nodes;
        const auto node = std::ranges::find_if(nodes, [&shard](const NodeStatus& each) { return each.shard == shard; });
        return node == nodes.end() ? NodeStatus() : *node;
    }
    [[nodiscard]] std::unique_ptr<redis::Connection> connectTo(RedisServer& server);
    [[nodiscard]] static QString channelOf(const QString& name) {
        return QStringLiteral("redisson_lock__channel:{%1}").arg(name);
    }
    static void releaseByShard(RedisServer& server, const QString& name);

    SystemClock m_clock;
    std::unique_ptr<ClusterSetup> m_cluster;
    std::unique_ptr<topology::ClusterSource> m_shards;
    std::unique_ptr<MonitorProbe> m_probe;
};

void TestClusterMonitor::cleanup() {
    m_probe.reset();
    m_shards.reset();
    m_cluster.reset();
}

void TestClusterMonitor::start(int masters, int replicasEach) {
    m_cluster = std::make_unique<ClusterSetup>(masters, replicasEach);
    QVERIFY(m_cluster->start());
    redis::ConnectionOptions options;
    options.lastRetry = 1s;
    findShards(options);
}

void TestClusterMonitor::findShards(const redis::ConnectionOptions& options) {
    m_shards = std::make_unique<topology::ClusterSource>(
        QList<topology::Address>{{QStringLiteral("127.0.0.1"), m_cluster->master(0).port()}}, options,
        topology::Dialer(), m_clock);
}

QString TestClusterMonitor::keyOf(size_t master, const QString& prefix) const {
    for (int i = 0;; ++i) {
        const QString name = prefix + QString::number(i);
        if (m_cluster->firstOwnerOf(name.toUtf8()) == master)
            return name;
    }
}

std::unique_ptr<redis::Connection> TestClusterMonitor::connectTo(RedisServer& server) {
    const redis::ConnectionOptions options = server.tcpOptions();
    auto connection = std::make_unique<redis::Connection>(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    connection->open();
    return QTest::qWaitFor([&] { return connection->isReady(); }) ? std::move(connection) : nullptr;
}

void TestClusterMonitor::releaseByShard(RedisServer& server, const QString& name) {
    server.cli({QStringLiteral("EVAL"),
                QStringLiteral("redis.call('del', KEYS[1]) redis.call('spublish', KEYS[2], '0')"), QStringLiteral("2"),
                name, channelOf(name)});
}

void TestClusterMonitor::followsTheLocksOfThreeNodes() {
    start(3);
    for (size_t master = 0; master < 3; ++master)
        hand(master).take(keyOf(master), alice);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(m_probe->next(3), QByteArrayList({"found alice", "found alice", "found alice"}));
    QCOMPARE(m_probe->lastSweep.sweptLocks, quint64{3});
    QCOMPARE(m_probe->stats.denied.size(), 0);
    for (size_t master = 0; master < 3; ++master) {
        QCOMPARE(row(keyOf(master))->lock.node->address, m_cluster->address(master));
        QCOMPARE(row(keyOf(master))->lock.node->publishing, redis::Publishing::PlainAndSharded);
        hand(master).take(keyOf(master), alice);
        QCOMPARE(m_probe->next(1), QByteArrayList{"reentered alice"});
    }
    // The message is published on every node, and must count once.
    hand(1).release(keyOf(1));
    QCOMPARE(m_probe->next(1), QByteArrayList{"released alice"});
    QCOMPARE(row(keyOf(1))->releasesReceived, quint64{1});
    for (size_t master = 0; master < 3; ++master)
        QTRY_COMPARE(nodeOf(keyOf(master)).phase, NodePhase::Watching);
}

void TestClusterMonitor::eachNodeReportsItsOwnWrites() {
    start(2);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QTRY_COMPARE(m_probe->stats.writeReports, WriteReports::On);
    // The next sweeps are more than a second away.
    QVERIFY(m_probe->waitForSweep());
    for (size_t master = 0; master < 2; ++master) {
        QVERIFY(m_cluster->master(master).cli({"CLIENT", "LIST"}).contains("flags=PtB"));
        hand(master).take(keyOf(master), alice, 300);
        QCOMPARE(m_probe->next(2), QByteArrayList({"acquired alice", "expired alice"}));
    }
    // A burst on one node is shown for all, and ends the reports of this node.
    m_cluster->master(0).cli(
        {"EVAL", "for i = 1, 5000 do redis.call('set', KEYS[1] .. i, i) end", "1", '{' + keyOf(0) + '}'});
    QTRY_COMPARE(m_probe->stats.writeReports, WriteReports::Busy);
    QVERIFY(!m_cluster->master(0).cli({"CLIENT", "LIST"}).contains("flags=PtB"));
    QVERIFY(m_cluster->master(1).cli({"CLIENT", "LIST"}).contains("flags=PtB"));
}

// The rights of resources/manual/connecting.md, "Rights", with those that "A Cluster" adds.
void TestClusterMonitor::needsFewRights() {
    start(2);
    redis::ConnectionOptions options;
    options.credentials = {"watcher", "pw"};
    options.access = redis::AccessMode::ReadOnly;
    options.role = redis::WantedRole::Master;
    for (size_t master = 0; master < 2; ++master) {
        RedisServer& server = m_cluster->master(master);
        QCOMPARE(server.cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(server) + rightsInACluster()), "OK");
        hand(master).take(keyOf(master), alice);
    }
    findShards(options);
    m_probe = std::make_unique<MonitorProbe>(*m_shards, options);
    QCOMPARE(m_probe->next(2), QByteArrayList({"found alice", "found alice"}));
    QVERIFY(m_probe->waitForSweep());
    releaseByShard(m_cluster->master(1), keyOf(1));
    QCOMPARE(m_probe->next(1), QByteArrayList{"released alice"});
    QCOMPARE(m_probe->stats.denied.size(), 0);
}

void TestClusterMonitor::receivesReleasesByShard() {
    start(3);
    const QString name = keyOf(2);
    hand(2).take(name, alice);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QCOMPARE(m_probe->next(1), QByteArrayList{"found alice"});
    QTRY_COMPARE(m_cluster->master(2).cli({QStringLiteral("PUBSUB"), QStringLiteral("SHARDCHANNELS")}),
                 channelOf(name));
    releaseByShard(m_cluster->master(2), name);
    QCOMPARE(m_probe->next(1), QByteArrayList{"released alice"});
    QCOMPARE(row(name)->releasesReceived, quint64{1});
    hand(2).take(name, bob);
    QCOMPARE(m_probe->next(1), QByteArrayList{"acquired bob"});
    hand(2).take(name, bob);
    QCOMPARE(m_probe->next(1), QByteArrayList{"reentered bob"});
    m_cluster->master(2).cli({QStringLiteral("DEL"), name});
    QCOMPARE(m_probe->next(1), QByteArrayList{"released bob without a message"});
}

// Its message goes to the sharded channel of the waiter alone, and without waiters there is none.
void TestClusterMonitor::aFairLocksReleaseIsInferred() {
    start(3);
    const QString name = keyOf(2);
    hand(2).take(name, alice);
    hand(2).queueUp(name, bob);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QTRY_VERIFY(row(name) && row(name)->lock.kind == LockKind::Fair);
    m_probe->events.clear();
    m_cluster->master(2).cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('spublish', KEYS[2], '0')", "2", name,
                              channelOf(name) + ':' + bob.display()});
    QTRY_COMPARE(eventsOf(name), QByteArrayList{"released alice inferred"});
    m_cluster->master(2).cli({"DEL", "redisson_lock_queue:{" + name + "}", "redisson_lock_timeout:{" + name + "}"});
    hand(2).take(name, bob);
    QTRY_VERIFY(row(name)->lock.isHeldBy(bob) && row(name)->lock.fairQueue.isEmpty());
    m_probe->events.clear();
    m_cluster->master(2).cli({"DEL", name});
    QTRY_COMPARE(eventsOf(name), QByteArrayList{"released bob without a message"});
}

void TestClusterMonitor::countsWhoWaitsOnEitherKindOfChannel() {
    start(3);
    const QString name = keyOf(0);
    const QByteArray channel = channelOf(name).toUtf8();
    hand(0).take(name, alice);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QCOMPARE(m_probe->next(1), QByteArrayList{"found alice"});
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(0));
    const auto newer = connectTo(m_cluster->master(0));
    QVERIFY(newer);
    newer->send(redis::Command("CLIENT", {"SETNAME", "orders"}));  // not this program's, which is no waiter
    newer->send(redis::Command("SSUBSCRIBE", {channel}));
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(1));
    // As far as the counts show, the same client waits on both kinds of channels.
    newer->send(redis::Command("SUBSCRIBE", {channel}));
    const auto older = connectTo(m_cluster->master(1));
    QVERIFY(older);
    older->send(redis::Command("SUBSCRIBE", {channel}));
    QTRY_COMPARE(row(name)->lock.waiters, std::optional(2));
    const quint64 swept = m_probe->sweeps;
    QTRY_VERIFY(m_probe->sweeps >= swept + 2);
    QCOMPARE(row(name)->lock.waiters, std::optional(2));
}

void TestClusterMonitor::aSlotMovesWithItsKeysUnderChanges() {
    start(3);
    const QString moving = keyOf(0);
    const topology::HashSlot slot = topology::hashSlotOf(moving.toUtf8());
    const QString staying = keyOf(1);
    hand(0).take(moving, alice, 60000);
    hand(1).take(staying, bob, 60000);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(m_probe->next(2).size(), 2);
    const Hold before = row(moving)->hold;

    QVERIFY(m_cluster->beginMove(slot, 0, 2));
    hand(1).take(staying, bob);
    QVERIFY(m_cluster->moveKeys(slot, 0, 2));
    for (int i = 0; i < 5; ++i)
        hand(1).take(staying, bob);
    QVERIFY(m_cluster->endMove(slot, 2));
    QTRY_COMPARE(row(moving)->lock.node->address, m_cluster->address(2));
    QCOMPARE(eventsOf(moving), QByteArrayList{"not_watched"});
    QCOMPARE(row(moving)->hold.since, before.since);
    QVERIFY(row(moving)->lock.isHeldBy(alice));
    QTRY_COMPARE(row(staying)->lock.holders.value(0).count, qint64{7});
    QCOMPARE(m_probe->stats.denied.size(), 0);

    m_probe->events.clear();
    hand(2).take(moving, alice, 60000);
    QCOMPARE(m_probe->next(1), QByteArrayList{"reentered alice"});
    QTRY_COMPARE(m_cluster->master(2).cli({QStringLiteral("PUBSUB"), QStringLiteral("SHARDCHANNELS")}),
                 channelOf(moving));
    releaseByShard(m_cluster->master(2), moving);
    QCOMPARE(m_probe->next(1), QByteArrayList{"released alice"});
}

void TestClusterMonitor::anUnknownLockInAMovedSlotIsFound() {
    start(3);
    const QString name = keyOf(0);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QVERIFY(m_cluster->moveSlot(topology::hashSlotOf(name.toUtf8()), 0, 1));
    hand(1).take(name, alice);
    QCOMPARE(m_probe->next(1, 10000), QByteArrayList{"acquired alice"});
    QCOMPARE(row(name)->lock.node->address, m_cluster->address(1));
}

void TestClusterMonitor::aKilledMasterFailsOver() {
    start(3, 1);
    // Else no node serves from the moment when they have noticed the death until the failover.
    QVERIFY(m_cluster->tellAll({QStringLiteral("CONFIG"), QStringLiteral("SET"),
                                QStringLiteral("cluster-require-full-coverage"), QStringLiteral("no")}));
    const QString name = keyOf(0);
    const QString other = keyOf(1);
    hand(0).take(name, alice, 120000);
    hand(1).take(other, bob, 120000);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(m_probe->next(2).size(), 2);
    QTRY_COMPARE(m_cluster->replica(0).cli({QStringLiteral("DBSIZE")}),
                 QStringLiteral("1"));  // else the lock dies, too

    m_cluster->master(0).kill();
    QTRY_COMPARE(nodeOf(name).phase, NodePhase::Reconnecting);
    QCOMPARE(m_probe->statuses.back().phase, MonitorPhase::Watching);
    hand(1).take(other, bob);
    QTRY_COMPARE(eventsOf(other), QByteArrayList{"reentered bob"});

    QVERIFY(m_cluster->replicaBecomesMaster(0));
    QTRY_COMPARE_WITH_TIMEOUT(nodeOf(name).phase, NodePhase::Watching, 15000);
    QTRY_COMPARE(eventsOf(name).join(", "), "not_watched");
    m_probe->events.clear();
    QVERIFY(row(name)->lock.isHeldBy(alice));
    QCOMPARE(row(name)->lock.node->address, QStringLiteral("127.0.0.1:%1").arg(m_cluster->replica(0).port()));
    releaseByShard(m_cluster->replica(0), name);
    const QByteArrayList end = m_probe->next(1);
    QVERIFY2(end == QByteArrayList{"released alice"} || end == QByteArrayList{"gone alice"}, end.value(0).constData());
}

void TestClusterMonitor::aReplicaTakesOverInOrder() {
    start(3, 1);
    const QString name = keyOf(0);
    hand(0).take(name, alice, 120000);
    m_probe = std::make_unique<MonitorProbe>(*m_shards);
    QVERIFY(m_probe->waitForSweep());
    QCOMPARE(m_probe->next(1), QByteArrayList{"found alice"});
    QVERIFY(m_cluster->failOver(0));
    // The old master redirects every read, so the monitor learns of the change in any case.
    ServerHand(m_cluster->replica(0)).take(name, alice, 120000);
    QTRY_COMPARE_WITH_TIMEOUT(row(name)->lock.node->address,
                              QStringLiteral("127.0.0.1:%1").arg(m_cluster->replica(0).port()), 15000);
    for (const LockEvent& event : m_probe->events)
        QVERIFY2(event.type == EventType::NotWatched || event.type == EventType::Reentered,
                 described(event).constData());
    QVERIFY(row(name)->lock.isHeldBy(alice));
}

LOCKKEEPER_TEST(TestClusterMonitor, Guiless)

}  // namespace tst_cluster_monitor

#include "tst_cluster_monitor.moc"
