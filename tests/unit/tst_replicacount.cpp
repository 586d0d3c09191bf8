// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/replicacount.h"
#include "support/fakeroute.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_replicacount {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using topology::Address;

namespace {

class ClusterNode final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return true; }
    [[nodiscard]] bool keeps(const LockName&) const override { return true; }
    void noteMovedKeys() const override { ++news; }

    mutable int news = 0;  // how often noteMovedKeys() was called
};

const QByteArray ofBob = "redisson_lock__channel:{L}:" + bob.bytes();
// A channel under a name that no known lock has.
const QByteArray ofCarol = "redisson_lock__channel:{app:L}:" + carol.bytes();

const QByteArray first = QByteArrayLiteral("ip=10.0.0.2,port=7002");
const QByteArray second = QByteArrayLiteral("ip=10.0.0.3,port=7003");

}  // namespace

// Who is subscribed at the replicas of a master. Master and replicas are fake servers.
class TestReplicaCount : public QObject {
    Q_OBJECT

private:
    FakeLink& link(const QString& address) { return m_route->servers.at(address)->lastLink(); }
    FakeLink& firstLink() { return link(QStringLiteral("10.0.0.2:7002")); }
    FakeLink& secondLink() { return link(QStringLiteral("10.0.0.3:7003")); }
    void ask() {
        m_count->ask([this] { ++m_ends; });
        turnEventLoop();
    }
    // Asks, up to the answer of the master.
    void askBeside(const QByteArrayList& replicas) {
        ask();
        QCOMPARE(m_master->link().takeCommand(), QByteArrayList{"INFO"});
        m_master->link().reply(replicationReply("master", "m1", replicas));
        for (const auto& [address, replica] : m_route->servers) {
            if (replica->linkCount() > 0)
                replica->acceptAll();
        }
    }
    void answer(FakeLink& replica, const QByteArray& runId, const QByteArrayList& channels) {
        QCOMPARE(replica.takeCommand(), QByteArrayList{"INFO"});
        replica.reply(replicationReply("slave", runId));
        QCOMPARE(replica.takeCommand(), (QByteArrayList{"PUBSUB", "CHANNELS", "redisson_lock__channel:*"}));
        replica.reply(list(channels));
    }
    void provesNothing() {
        QCOMPARE(m_ends, 1);
        QVERIFY(!m_count->haveAllAnswered());
        QVERIFY(m_count->listening().isEmpty());
    }

    std::unique_ptr<PlayedConnection> m_master;
    std::unique_ptr<FakeRoute> m_route;
    std::unique_ptr<ReplicaCount> m_count;
    int m_ends = 0;

private Q_SLOTS:
    void init() {
        m_ends = 0;
        m_master = std::make_unique<PlayedConnection>();
        m_master->open();
        m_route = std::make_unique<FakeRoute>();
        m_route->add(QStringLiteral("10.0.0.2:7002"));
        m_route->add(QStringLiteral("10.0.0.3:7003"));
        m_count = std::make_unique<ReplicaCount>(m_master->connection, redis::ConnectionOptions(), topology::ShardId(),
                                                 wholeServer());
        m_count->setWanted(m_route.get());
    }
    void cleanup() {
        m_count.reset();
        m_route.reset();
        m_master.reset();
    }

    void whoIsSubscribedAtAReplicaIsFound() {
        askBeside({first, second});
        answer(firstLink(), "s1", {"redisson_lock__channel:{L}", ofBob});
        QCOMPARE(m_ends, 0);
        answer(secondLink(), "s2", {ofCarol});
        QCOMPARE(m_ends, 1);
        QVERIFY(m_count->haveAllAnswered());
        QVERIFY(!m_count->unanswered());
        QCOMPARE(m_count->listening(), (QSet<HolderId>{bob, carol}));
    }

    void withoutReplicasAllHaveAnswered() {
        askBeside({});
        QCOMPARE(m_ends, 1);
        QVERIFY(m_count->haveAllAnswered());
    }

    // The connections stay as long as the count is wanted.
    void isAskedAgainOnTheSameConnections() {
        askBeside({first});
        answer(firstLink(), "s1", {ofBob});
        askBeside({first});
        answer(firstLink(), "s1", {});
        QCOMPARE(m_ends, 2);
        QVERIFY(m_count->haveAllAnswered());
        QVERIFY(m_count->listening().isEmpty());
        QCOMPARE(m_route->servers.at(QStringLiteral("10.0.0.2:7002"))->linkCount(), size_t{1});
        m_count->setWanted(nullptr);
        QVERIFY(!m_count->haveAllAnswered());
        turnEventLoop();
        QVERIFY(!firstLink().isOpen());
    }

    void oneReplicaThatIsNoneOfThisMasterProvesNothing_data() {
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("a master") << replicationReply("master", "s1");
        QTest::newRow("of other data") << replicationReply("slave", "s1", {}, -1, "r2");
        QTest::newRow("with replicas of its own") << replicationReply("slave", "s1", {"ip=10.0.0.9,port=7009"});
        QTest::newRow("the master's own address") << replicationReply("slave", "m1");
        QTest::newRow("it does not say who it is") << bulk("role:slave\r\nconnected_slaves:0\r\n");
        QTest::newRow("it may not be asked") << noPermission("info");
    }
    void oneReplicaThatIsNoneOfThisMasterProvesNothing() {
        QFETCH(const QByteArray, said);
        askBeside({first});
        firstLink().reply(said);
        for (const QByteArrayList& command : firstLink().takeCommands()) {
            if (command.first() == "PUBSUB")
                firstLink().reply(list({}));
        }
        provesNothing();
        QVERIFY(m_count->unanswered());
        QCOMPARE(m_count->unanswered()->address, QStringLiteral("10.0.0.2:7002"));
    }

    void twoAddressesOfOneServerProveNothing() {
        askBeside({first, second});
        answer(firstLink(), "s1", {});
        answer(secondLink(), "s1", {});
        provesNothing();
    }

    void aRefusedQuestionProvesNothing() {
        askBeside({first});
        firstLink().reply(replicationReply("slave", "s1"));
        firstLink().reply(noPermission("pubsub"));
        provesNothing();
    }

    void anUnreachableReplicaProvesNothing() {
        ask();
        m_master->link().reply(replicationReply("master", "m1", {first}));
        firstLink().transport()->fail(ErrorCode::ConnectionLost);
        provesNothing();
        QVERIFY(m_count->unanswered());
        QCOMPARE(m_count->unanswered()->address, QStringLiteral("10.0.0.2:7002"));
        // The replica is not waited for until it is tried again.
        ask();
        m_master->link().reply(replicationReply("master", "m1", {first}));
        QCOMPARE(m_ends, 2);
    }

    void aSilentReplicaProvesNothing() {
        ask();
        m_master->link().reply(replicationReply("master", "m1", {first}));
        m_master->clock.advance(ReplicaCount::patience);
        turnEventLoop();
        provesNothing();
        // The replica is not waited for until it is connected.
        ask();
        m_master->link().reply(replicationReply("master", "m1", {first}));
        QCOMPARE(m_ends, 2);
        QVERIFY(m_count->unanswered());
        QCOMPARE(m_count->unanswered()->why.code, ErrorCode::Timeout);
        (void)m_master->link().takeCommands();
        askBeside({first});
        QCOMPARE(m_ends, 3);
        askBeside({first});
        answer(firstLink(), "s1", {ofBob});
        QCOMPARE(m_ends, 4);
        QVERIFY(m_count->haveAllAnswered());
    }

    void anIncompleteListProvesNothing_data() {
        QTest::addColumn<QByteArray>("said");
        QByteArrayList many;
        for (int i = 0; i <= ReplicaCount::mostReplicas; ++i)
            many += "ip=10.0.0.2,port=" + QByteArray::number(8000 + i);
        QTest::newRow("one does not say where it is") << replicationReply("master", "m1", {first}, 2);
        QTest::newRow("too many") << replicationReply("master", "m1", many);
        QTest::newRow("not a master") << replicationReply("slave", "m1", {first});
        QTest::newRow("refused") << noPermission("info");
    }
    void anIncompleteListProvesNothing() {
        QFETCH(const QByteArray, said);
        ask();
        m_master->link().reply(said);
        turnEventLoop();
        provesNothing();
    }

    void aLongAnswerIsFollowedByAPause() {
        askBeside({first});
        firstLink().reply(replicationReply("slave", "s1"));
        m_master->clock.advance(100ms);
        firstLink().reply(list({}));
        QCOMPARE(m_ends, 1);
        (void)m_master->link().takeCommands();
        ask();
        m_master->clock.advance(1999ms);
        QVERIFY(m_master->link().takeCommands().isEmpty());
        m_master->clock.advance(1ms);
        QCOMPARE(m_master->link().takeCommand(), QByteArrayList{"INFO"});
    }

    // The nodes of a Cluster name its replicas, and there are channels of shards.
    void aClusterListsItsReplicas() {
        const ClusterNode node;
        ReplicaCount count(m_master->connection, redis::ConnectionOptions(), topology::ShardId(), node);
        FakeServer& replica = m_route->add(QStringLiteral("10.0.0.7:7007"));
        m_route->ofCluster = {{QStringLiteral("10.0.0.7"), 7007}};
        count.setWanted(m_route.get());
        count.ask([this] { ++m_ends; });
        (void)m_master->link().takeCommands();
        m_master->link().reply(replicationReply("master", "m1"));
        replica.acceptAll();
        answer(replica.lastLink(), "s1", {ofBob});
        QCOMPARE(replica.lastLink().takeCommand(),
                 (QByteArrayList{"PUBSUB", "SHARDCHANNELS", "redisson_lock__channel:*"}));
        replica.lastLink().reply(list({ofCarol}));
        QVERIFY(count.haveAllAnswered());
        QCOMPARE(count.listening(), (QSet<HolderId>{bob, carol}));
        // The master has more than the other nodes know.
        count.ask([this] { ++m_ends; });
        (void)m_master->link().takeCommands();
        m_master->link().reply(replicationReply("master", "m1", {first, second}));
        QCOMPARE(m_ends, 2);
        QVERIFY(!count.haveAllAnswered());
        QCOMPARE(node.news, 1);
    }

    void replicationIsReadFromInfo() {
        const Replication master = parseReplication(
            "# Server\r\nredis_version:7.0.15\r\nrun_id:m1\r\n# Replication\r\nrole:master\r\nconnected_slaves:3\r\n"
            "slave0:ip=10.0.0.2,port=7002,state=online,offset=14,lag=1\r\nslave1:ip=fd00::3,port=7003,state=wait_bgsave\r\n"
            "slave2:ip=10.0.0.4,port=0,state=online\r\nmaster_replid:r1\r\nmaster_replid2:r0\r\n");
        QVERIFY(master.isMaster);
        QCOMPARE(master.runId, "m1");
        QCOMPARE(master.replicationId, "r1");
        QCOMPARE(master.connected, std::optional(3));
        QCOMPARE(master.replicas,
                 (QList<Address>{{QStringLiteral("10.0.0.2"), 7002}, {QStringLiteral("fd00::3"), 7003}}));
        const Replication replica =
            parseReplication("role:slave\r\nslave_read_only:1\r\nconnected_slaves:0\r\nmaster_replid:r1\r\n");
        QVERIFY(!replica.isMaster);
        QCOMPARE(replica.replicationId, "r1");
        QCOMPARE(replica.connected, std::optional(0));
        QVERIFY(replica.replicas.isEmpty());
        QCOMPARE(parseReplication(""), Replication());
    }

    // A server that claims to have two thousand million replicas must not cause much work.
    void aListOfReplicasHasALimit() {
        QByteArray info = "role:master\r\nconnected_slaves:2000000000\r\n";
        for (int i = 0; i < 100; ++i)
            info += "slave" + QByteArray::number(i) + ":ip=10.0.0.2,port=" + QByteArray::number(7000 + i) + "\r\n";
        QCOMPARE(parseReplication(info).replicas.size(), Replication::mostListed);
    }
};

LOCKKEEPER_TEST(TestReplicaCount, Guiless)

}  // namespace tst_replicacount

#include "tst_replicacount.moc"
