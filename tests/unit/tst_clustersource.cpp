// SPDX-License-Identifier: Apache-2.0
#include "support/fakecluster.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_clustersource {

using namespace lockkeeper;
using namespace std::chrono_literals;
using topology::Address;
using topology::ShardId;

// Which shards a Cluster has, and when its nodes are asked again.
class TestClusterSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_map = {};
        m_accepted = 0;
        m_dialled.clear();
    }
    void cleanup() {
        m_source.reset();
        test::turnEventLoop();
    }

    void knowsNothingBeforeANodeAnswers() {
        make();
        m_source->open();
        QVERIFY(m_source->all().isEmpty());
        QVERIFY(!m_source->shardOf(0));
    }

    void asksOneOfTheNodes() {
        open();
        QCOMPARE(m_dialled, QStringList{"n1:7000"});
        QCOMPARE(m_source->all().size(), 3);
        QCOMPARE(ownerOf(0), "10.0.0.1:7000");
        QCOMPARE(ownerOf(5461), "10.0.0.2:7000");
        QCOMPARE(ownerOf(16383), "10.0.0.3:7000");
    }

    void theOlderQuestionWhereTheNewerIsUnknown() {
        make();
        m_source->open();
        m_server->lastLink().shakeHands();
        QCOMPARE(takeOne(), (QByteArrayList{"CLUSTER", "INFO"}));
        m_server->lastLink().reply(m_map.infoReply());
        QCOMPARE(takeOne(), (QByteArrayList{"CLUSTER", "SHARDS"}));
        m_server->lastLink().reply("-ERR Unknown subcommand or wrong number of arguments for 'SHARDS'\r\n");
        QCOMPARE(takeOne(), (QByteArrayList{"CLUSTER", "SLOTS"}));
        m_server->lastLink().reply("*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$8\r\n10.0.0.1\r\n:7000\r\n" +
                                   test::bulk(m_map.idOf('a')));
        QCOMPARE(ownerOf(77), "10.0.0.1:7000");
    }

    void theNextNodeIsAskedIfOneIsGone() {
        make(2);
        m_source->open();
        m_server->lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(200ms);
        QCOMPARE(m_dialled, (QStringList{"n1:7000", "n2:7000"}));
        answerAll();
        QCOMPARE(m_source->all().size(), 3);
    }

    void saysWhyNoNodeAnswers() {
        make(2);
        QSignalSpy failed(m_source.get(), &topology::Shards::failed);
        m_source->open();
        for (int i = 0; i < 2; ++i) {
            m_server->lastLink().lose(ErrorCode::ConnectionRefused);
            m_clock->advance(200ms);
        }
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().value<Error>().code, ErrorCode::ConnectionRefused);
    }

    // The node is cut off from the others, or has missed a failover.
    void aNodeThatKnowsLessIsNotBelievedWhileAnotherAnswers_data() {
        QTest::addColumn<bool>("isUp");
        QTest::addColumn<int>("epoch");
        QTest::newRow("it sees few masters") << false << 3;
        QTest::newRow("its epoch is older") << true << 2;
    }
    void aNodeThatKnowsLessIsNotBelievedWhileAnotherAnswers() {
        QFETCH(bool, isUp);
        QFETCH(int, epoch);
        open(2);
        m_map.shards[0].host = "10.0.0.77";
        m_map.isUp = isUp;
        m_map.epoch = epoch;
        m_source->refresh();
        m_clock->advance(2s);
        answerOnce();
        m_map = {};
        m_map.epoch = 4;
        m_clock->advance(10ms);
        answerAll();
        QCOMPARE(ownerOf(0), "10.0.0.1:7000");
    }

    void namesTheSlotsThatNoMasterServes() {
        m_map.shards[1].lastSlot = 10000;
        m_map.shards[2].firstSlot = 10924;
        open();
        QCOMPARE(topology::displayOf(m_source->unservedSlots()), "10001-10923");
        m_map = {};
        QSignalSpy changed(m_source.get(), &topology::Shards::changed);
        refresh();
        QCOMPARE(changed.count(), 1);
        QVERIFY(m_source->unservedSlots().isEmpty());
    }

    // The Cluster is asked again soon, because it may be up again.
    void saysThatTheClusterIsDown() {
        open();
        QVERIFY(!m_source->outage());
        m_map.isUp = false;
        QSignalSpy changed(m_source.get(), &topology::Shards::changed);
        m_source->refresh();
        m_clock->advance(200ms);
        answerNodes(4);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_source->outage().value_or(Error()).reply, ReplyKind::ClusterDown);
        QCOMPARE(ownerOf(0), "10.0.0.1:7000");
        m_map.isUp = true;
        m_clock->advance(2s);
        answerAll();
        QVERIFY(!m_source->outage());
    }

    void aPromotedReplicaIsMasterOfTheSameShard() {
        m_map.shards[1].replicaId = test::FakeClusterMap::idOf('r');
        open();
        const std::optional<ShardId> shard = m_source->shardOf(6000);
        QSignalSpy changed(m_source.get(), &topology::Shards::changed);
        m_map.shards[1] = {test::FakeClusterMap::idOf('r'), "10.0.0.29", 5461, 10922, {}};
        refresh();
        QCOMPARE(changed.count(), 1);
        QVERIFY(m_source->shardOf(6000) == shard);
        QCOMPARE(ownerOf(6000), "10.0.0.29:7000");
    }

    void aShardKeepsItsNumberWhenSlotsMove() {
        open();
        const QList<ShardId> before = m_source->all();
        m_map.shards[0].lastSlot = 99;
        m_map.shards[1].firstSlot = 100;
        refresh();
        QCOMPARE(m_source->all(), before);
        QVERIFY(m_source->shardOf(100) == before.at(1));
    }

    void newAndLeavingMasters() {
        open();
        const QList<ShardId> before = m_source->all();
        m_map.shards[2] = {test::FakeClusterMap::idOf('d'), "10.0.0.4", 10923, 16383, {}};
        refresh();
        QCOMPARE(m_source->all().size(), 3);
        QVERIFY(!m_source->all().contains(before.at(2)));
        QCOMPARE(ownerOf(16000), "10.0.0.4:7000");
    }

    void aMovedSlotIsBelievedAtOnce() {
        open();
        QSignalSpy changed(m_source.get(), &topology::Shards::changed);
        m_source->noteMoved(5, QStringLiteral("10.0.0.3:7000"));
        test::turnEventLoop();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(ownerOf(5), "10.0.0.3:7000");
        QCOMPARE(ownerOf(6), "10.0.0.1:7000");
    }

    // The node that is asked may learn of the change later than the one that answered MOVED.
    void anOlderViewDoesNotUndoItAtOnce() {
        open();
        m_source->noteMoved(5, QStringLiteral("10.0.0.3:7000"));
        m_clock->advance(100ms);
        answerAll();
        QCOMPARE(ownerOf(5), "10.0.0.3:7000");
        m_clock->advance(3s);
        refresh();
        QCOMPARE(ownerOf(5), "10.0.0.1:7000");
    }

    void isAskedEachMinute() {
        open();
        m_map.shards[0].host = "10.0.0.8";
        m_clock->advance(59s);
        QVERIFY(m_server->lastLink().takeCommands().isEmpty());
        m_clock->advance(2s);
        answerAll();
        QCOMPARE(ownerOf(0), "10.0.0.8:7000");
    }

    // Evidence may come with each of a thousand commands a second.
    void isNotAskedInAStorm() {
        open();
        int questions = 0;
        for (int i = 0; i < 1000; ++i) {
            m_source->refresh();
            m_clock->advance(10ms);
            questions += answerOnce();
        }
        QVERIFY2(questions >= 5 && questions <= 12, qPrintable(QString::number(questions)));
    }

private:
    void make(int nodes = 1) {
        QList<Address> addresses;
        for (int i = 1; i <= nodes; ++i)
            addresses += Address{QStringLiteral("n%1").arg(i), 7000};
        const topology::Dialer dialer([this, make = m_server->factory()](const redis::Endpoint& endpoint) {
            m_dialled += endpoint.display();
            return make();
        });
        redis::ConnectionOptions options;
        options.keepaliveInterval = 24h;
        m_source = std::make_unique<topology::ClusterSource>(addresses, options, dialer, *m_clock);
    }
    void open(int nodes = 1) {
        make(nodes);
        m_source->open();
        answerAll();
    }
    void refresh() {
        m_source->refresh();
        m_clock->advance(2s);
        answerAll();
    }
    [[nodiscard]] QByteArrayList takeOne() {
        const QList<QByteArrayList> commands = m_server->lastLink().takeCommands();
        return commands.value(0);
    }
    // Answers all commands that have arrived; returns how many of them were about the shards.
    int answerOnce() {
        int questions = 0;
        test::FakeLink& link = m_server->lastLink();
        if (!link.isOpen())
            return 0;
        if (std::exchange(m_accepted, m_server->linkCount()) != m_server->linkCount())
            link.shakeHands();
        for (QList<QByteArrayList> commands = link.takeCommands(); !commands.isEmpty() && link.isOpen();
             commands = link.takeCommands()) {
            for (const QByteArrayList& command : commands) {
                const bool isInfo = command == QByteArrayList{"CLUSTER", "INFO"};
                questions += isInfo ? 0 : 1;
                link.reply(isInfo ? m_map.infoReply() : m_map.shardsReply());
            }
        }
        return questions;
    }
    void answerAll() {
        while (answerOnce() > 0) {
        }
    }
    // Answers for this many nodes, one after the other.
    void answerNodes(int count) {
        for (int i = 0; i < count; ++i) {
            answerAll();
            m_clock->advance(10ms);
        }
    }
    [[nodiscard]] QString ownerOf(topology::HashSlot slot) const {
        const std::optional<ShardId> shard = m_source->shardOf(slot);
        return shard ? m_source->masterOf(*shard) : QString();
    }

    test::FakeClusterMap m_map;
    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<topology::ClusterSource> m_source;
    QStringList m_dialled;
    size_t m_accepted = 0;  // links whose handshake was answered
};

LOCKKEEPER_TEST(TestClusterSource, Guiless)

}  // namespace tst_clustersource

#include "tst_clustersource.moc"
