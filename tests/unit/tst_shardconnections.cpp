// SPDX-License-Identifier: Apache-2.0
#include "redis/script.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

using namespace lockkeeper;
using namespace std::chrono_literals;
using redis::RespValue;
using topology::HashSlot;
using topology::ShardId;

namespace {

// Two shards with a fake server each; the test says which one serves which slot.
class FakeShards final : public topology::Shards {
public:
    void open() override {}
    [[nodiscard]] QList<ShardId> all() const override { return known; }
    [[nodiscard]] std::optional<ShardId> shardOf(HashSlot slot) const override {
        return known.isEmpty() ? std::nullopt : std::optional(owners.value(slot, ShardId{0}));
    }
    [[nodiscard]] QString masterOf(ShardId shard) const override { return addresses.value(static_cast<int>(shard)); }
    [[nodiscard]] redis::TransportFactory transports(ShardId shard) const override {
        return servers.at(static_cast<size_t>(shard))->factory();
    }
    [[nodiscard]] bool isCluster() const override { return true; }
    void refresh() override { ++refreshes; }
    void noteMoved(HashSlot slot, const QString& address) override {
        if (const std::optional<ShardId> shard = shardAt(address))
            owners[slot] = *shard;
    }
    [[nodiscard]] std::optional<ShardId> shardAt(const QString& address) const override {
        const qsizetype index = addresses.indexOf(address);
        return index < 0 ? std::nullopt : std::optional(ShardId{static_cast<quint32>(index)});
    }
    void tellChanged() { Q_EMIT changed(); }

    const QStringList addresses{"a:7000", "b:7000"};
    QList<ShardId> known{ShardId{0}, ShardId{1}};
    QHash<HashSlot, ShardId> owners;
    std::array<std::unique_ptr<test::FakeServer>, 2> servers{std::make_unique<test::FakeServer>(), std::make_unique<test::FakeServer>()};
    int refreshes = 0;
};

const QByteArray key = "foo";
constexpr int slotOfKey = 12182;

QByteArray refusal(const char* kind, const char* address) {
    return QByteArray("-") + kind + ' ' + QByteArray::number(slotOfKey) + ' ' + address + "\r\n";
}

}  // namespace

// A script reaches the node that serves its slot, once, whatever the nodes answer before.
class TestShardConnections : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_shards = std::make_unique<FakeShards>();
        m_connections = std::make_unique<topology::ShardConnections>(redis::ConnectionOptions(), *m_shards, *m_clock);
        m_connections->open();
        m_answer.reset();
        m_sentAgain = 0;
    }
    void cleanup() {
        m_connections.reset();
        test::turnEventLoop();
    }

    void connectsToAMasterWhenItIsNeeded() {
        QCOMPARE(m_shards->servers[0]->linkCount(), size_t{0});
        QVERIFY(!m_connections->isReady(key));
        QCOMPARE(m_shards->servers[0]->linkCount(), size_t{1});
        QCOMPARE(m_shards->servers[1]->linkCount(), size_t{0});
    }

    void isReadyWhenTheOwnerIs() {
        const Completion<Done> ready = m_connections->whenReady(key);
        QVERIFY(!ready.isCompleted());
        accept(0);
        QVERIFY(ready.isCompleted());
    }

    void isReadyWhenAnOwnerIsKnownAtLast() {
        m_shards->known.clear();
        const Completion<Done> ready = m_connections->whenReady(key);
        m_shards->known = {ShardId{0}, ShardId{1}};
        m_shards->tellChanged();
        QVERIFY(!ready.isCompleted());
        accept(0);
        QVERIFY(ready.isCompleted());
    }

    void isReadyWhereTheSlotHasMovedTo() {
        const Completion<Done> ready = m_connections->whenReady(key);
        m_shards->owners[slotOfKey] = ShardId{1};
        m_shards->tellChanged();
        accept(1);
        QVERIFY(ready.isCompleted());
    }

    void anUnknownScriptIsSentWhole() {
        begin();
        QCOMPARE(commandAt(0), "EVALSHA");
        link(0).reply("-NOSCRIPT No matching script.\r\n");
        QCOMPARE(commandAt(0), "EVAL");
        QCOMPARE(m_sentAgain, 1);
        link(0).reply(test::number(7));
        QCOMPARE(answer(), 7);
    }

    void movedLeadsToTheOtherNode() {
        begin();
        link(0).reply(refusal("MOVED", "b:7000"));
        QCOMPARE(commandAt(1), "EVALSHA");
        link(1).reply(test::number(7));
        QCOMPARE(answer(), 7);
        QVERIFY(m_shards->shardOf(slotOfKey) == ShardId{1});
    }

    // Only this one command: the slot stays where it is.
    void askLeadsToTheOtherNodeOnce() {
        begin();
        link(0).reply(refusal("ASK", "b:7000"));
        const QList<QByteArrayList> commands = link(1).takeCommands();
        QCOMPARE(commands.size(), 2);
        QCOMPARE(commands[0], QByteArrayList{"ASKING"});
        QCOMPARE(commands[1].value(0), "EVAL");
        link(1).reply("+OK\r\n" + test::number(7));
        QCOMPARE(answer(), 7);
        QVERIFY(m_shards->shardOf(slotOfKey) == ShardId{0});
    }

    void aNodeThatServesItLaterIsAskedAfterGrowingPauses_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("the keys are moving") << QByteArray("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
        QTest::newRow("the Cluster is down") << QByteArray("-CLUSTERDOWN The cluster is down\r\n");
        QTest::newRow("it loads its data") << QByteArray("-LOADING Redis is loading the dataset in memory\r\n");
    }
    void aNodeThatServesItLaterIsAskedAfterGrowingPauses() {
        QFETCH(QByteArray, reply);
        begin();
        QCOMPARE(commandAt(0), "EVALSHA");
        QList<int> pauses;
        for (int i = 0; i < 4; ++i) {
            link(0).reply(reply);
            pauses += 0;
            do {
                m_clock->advance(10ms);
                pauses.back() += 10;
            } while (commandAt(0).isEmpty() && pauses.back() < 5000);
        }
        QCOMPARE(pauses, (QList<int>{20, 40, 80, 160}));
        link(0).reply(test::number(7));
        QCOMPARE(answer(), 7);
    }

    // As of two nodes that name each other.
    void doesNotFollowRedirectsWithoutEnd() {
        begin();
        int sent = 0;
        for (int i = 0; i < 20; ++i) {
            for (size_t shard = 0; shard < 2; ++shard) {
                if (commandAt(shard).isEmpty())
                    continue;
                ++sent;
                link(shard).reply(refusal("MOVED", shard == 0 ? "b:7000" : "a:7000"));
            }
        }
        QCOMPARE(sent, 4);
    }

    // What has happened is not known, so it is not sent again.
    void aLostConnectionEndsIt() {
        begin();
        link(0).lose();
        QVERIFY(m_answer && !m_answer->ok());
        QCOMPARE(m_answer->error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(commandAt(1), QByteArray());
    }

    void anotherErrorIsTheAnswer() {
        begin();
        link(0).reply("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
        QVERIFY(m_answer && !m_answer->ok());
        QCOMPARE(m_answer->error().reply, ReplyKind::WrongType);
    }

    void aShardThatIsGoneTakesItsConnectionAlong() {
        begin();
        const QPointer<redis::Connection> connection(m_connections->of(key));
        m_shards->known = {ShardId{1}};
        m_shards->owners[slotOfKey] = ShardId{1};
        m_shards->tellChanged();
        QVERIFY(m_answer && !m_answer->ok());
        QTRY_VERIFY(!connection);
    }

private:
    void accept(size_t shard) { m_shards->servers[shard]->acceptAll(); }
    // The script is sent to the first shard; both are connected.
    void begin() {
        (void)m_connections->of(key);
        (void)m_connections->at("b:7000");
        accept(0);
        accept(1);
        const redis::ScriptCall call(redis::Script("return 7"), {key}, {});
        m_connections->run(key, call, [this] { ++m_sentAgain; }).then([this](const Result<RespValue>& reply) { m_answer = reply; });
    }
    [[nodiscard]] test::FakeLink& link(size_t shard) { return m_shards->servers[shard]->lastLink(); }
    // The name of the only command that has arrived since the last call; empty if there is none.
    [[nodiscard]] QByteArray commandAt(size_t shard) { return link(shard).isOpen() ? link(shard).takeCommand().value(0) : QByteArray(); }
    [[nodiscard]] qint64 answer() const { return m_answer && m_answer->ok() ? (*m_answer)->integer : -1; }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<FakeShards> m_shards;
    std::unique_ptr<topology::ShardConnections> m_connections;
    std::optional<Result<RespValue>> m_answer;
    int m_sentAgain = 0;
};

LOCKKEEPER_TEST(TestShardConnections, Guiless)
#include "tst_shardconnections.moc"
