// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"
#include "support/fakeserver.h"
#include "support/testprogram.h"
#include "topology/clusterview.h"

#include <QTest>

namespace tst_clusterview {

using namespace lockkeeper;
using namespace lockkeeper::topology;
using test::bulk;
using test::number;

namespace {

const Address asked{QStringLiteral("asked.example"), 7000};
const QByteArray idA(40, 'a');
const QByteArray idB(40, 'b');

QByteArray list(const QByteArrayList& items) {
    return '*' + QByteArray::number(items.size()) + "\r\n" + items.join();
}

redis::RespValue parsed(const QByteArray& wire) {
    redis::RespParser parser;
    parser.feed(wire);
    return **parser.take();
}

struct Node {
    QByteArray id;
    QByteArray role = "master";
    QByteArray health = "online";
    QByteArray endpoint = "10.0.0.1";
    QByteArray hostname;
    int port = 7001;
    int tlsPort = 0;
};

QByteArray wireOf(const Node& node) {
    QByteArrayList items{bulk("id"), bulk(node.id), bulk("port"), number(node.port)};
    if (node.tlsPort != 0)
        items += {bulk("tls-port"), number(node.tlsPort)};
    items += {bulk("ip"), bulk("10.0.0.1"), bulk("endpoint"), bulk(node.endpoint)};
    if (!node.hostname.isEmpty())
        items += {bulk("hostname"), bulk(node.hostname)};
    items += {bulk("role"), bulk(node.role), bulk("health"), bulk(node.health)};
    return list(items);
}

QByteArray shardOf(const QList<int>& bounds, const QList<Node>& nodes) {
    QByteArrayList ranges;
    for (const int bound : bounds)
        ranges += number(bound);
    QByteArrayList wires;
    for (const Node& node : nodes)
        wires += wireOf(node);
    return list({bulk("slots"), list(ranges), bulk("nodes"), list(wires)});
}

ClusterView viewOf(const QByteArrayList& shards, redis::Security security = redis::Security::Plain) {
    return viewOfShards(parsed(list(shards)), asked, security).value_or(ClusterView());
}

}  // namespace

// The view of the nodes of a Cluster, decoded from their answers.
class TestClusterView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shardsWithTheirMastersReplicasAndSlots() {
        const ClusterView view = viewOf({shardOf({0, 99, 200, 200}, {{idA}, {idB, "replica"}})});
        QCOMPARE(view.shards.size(), size_t{1});
        const ClusterShard& shard = view.shards.front();
        QCOMPARE(shard.master.id, idA);
        QCOMPARE(shard.master.address.display(), "10.0.0.1:7001");
        QCOMPARE(shard.replicas.size(), size_t{1});
        QVERIFY(shard.ranges == (std::vector<SlotRange>{{0, 99}, {200, 200}}));
    }

    void theAddressOfANode_data() {
        QTest::addColumn<QByteArray>("endpoint");
        QTest::addColumn<QString>("host");
        QTest::newRow("as it is announced") << QByteArray("node1.example") << "node1.example";
        QTest::newRow("no name although one is wanted") << QByteArray("?") << "10.0.0.1";
        QTest::newRow("empty") << QByteArray() << "10.0.0.1";
    }
    void theAddressOfANode() {
        QFETCH(QByteArray, endpoint);
        QFETCH(QString, host);
        Node node{idA};
        node.endpoint = endpoint;
        QCOMPARE(viewOf({shardOf({0, 9}, {node})}).shards.front().master.address.host, host);
    }

    void theCertificateIsForTheAnnouncedName() {
        Node node{idA};
        node.hostname = "node1.example";
        QCOMPARE(viewOf({shardOf({0, 9}, {node})}).shards.front().master.hostName, "node1.example");
    }

    void tlsHasAPortOfItsOwn() {
        Node node{idA};
        node.tlsPort = 7443;
        QCOMPARE(viewOf({shardOf({0, 9}, {node})}).shards.front().master.address.port, quint16{7001});
        QCOMPARE(viewOf({shardOf({0, 9}, {node})}, redis::Security::Tls).shards.front().master.address.port,
                 quint16{7443});
    }

    void aFailedMasterIsTheMasterUntilThereIsAnother() {
        const Node failed{idA, "master", "fail"};
        const Node other{idB};
        QCOMPARE(viewOf({shardOf({0, 9}, {failed})}).shards.front().master.id, idA);
        QCOMPARE(viewOf({shardOf({0, 9}, {failed, other})}).shards.front().master.id, idB);
        QCOMPARE(viewOf({shardOf({0, 9}, {other, failed})}).shards.front().master.id, idB);
    }

    void aMasterWithoutSlotsIsLeftOut() { QVERIFY(viewOf({shardOf({}, {{idA}})}).shards.empty()); }

    void theOlderAnswer() {
        const QByteArray master = list({bulk("10.0.0.1"), number(7001), bulk(idA)});
        const QByteArray replica =
            list({bulk("10.0.0.2"), number(7002), bulk(idB), list({bulk("hostname"), bulk("b.example")})});
        const std::optional<ClusterView> view =
            viewOfSlots(parsed(list({list({number(0), number(99), master, replica}),
                                     list({number(200), number(200), master, replica})})),
                        asked);
        QVERIFY(view);
        QCOMPARE(view->shards.size(), size_t{1});
        QVERIFY(view->shards.front().ranges == (std::vector<SlotRange>{{0, 99}, {200, 200}}));
        QCOMPARE(view->shards.front().replicas.size(), size_t{1});
        QCOMPARE(view->shards.front().replicas.front().hostName, "b.example");
    }

    void whatIsNoAnswer_data() {
        QTest::addColumn<QByteArray>("wire");
        QTest::newRow("text") << bulk("what");
        QTest::newRow("numbers") << list({number(1)});
        QTest::newRow("a slot that does not exist") << list({shardOf({0, 16384}, {{idA}})});
        QTest::newRow("a range from above") << list({shardOf({9, 3}, {{idA}})});
    }
    void whatIsNoAnswer() {
        QFETCH(QByteArray, wire);
        QVERIFY(!viewOfShards(parsed(wire), asked, redis::Security::Plain));
        QVERIFY(!viewOfSlots(parsed(wire), asked));
    }

    void epochAndState() {
        ClusterView view;
        addClusterInfo("cluster_state:fail\r\ncluster_slots_ok:16384\r\ncluster_current_epoch:17\r\n", view);
        QCOMPARE(view.epoch, quint64{17});
        QVERIFY(!view.isUp);
    }
};

LOCKKEEPER_TEST(TestClusterView, Appless)

}  // namespace tst_clusterview

#include "tst_clusterview.moc"
