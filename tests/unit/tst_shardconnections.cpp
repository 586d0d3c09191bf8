// SPDX-License-Identifier: Apache-2.0
#include "control/consolecause.h"
#include "redis/script.h"
#include "support/fakeshards.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_shardconnections {

using namespace lockkeeper;
using namespace std::chrono_literals;
using redis::Publishing;
using redis::RespValue;

namespace {

const QByteArray key = "123";  // in the first shard
const topology::HashSlot slotOfKey = topology::hashSlotOf(key);

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
        m_shards = std::make_unique<test::FakeShards>(2);
        m_connections = std::make_unique<topology::ShardConnections>(redis::ConnectionOptions(), *m_shards, *m_clock);
        m_connections->open();
        m_answer.reset();
        m_sentAgain = 0;
        m_refusal.reset();
    }
    void cleanup() {
        m_connections.reset();
        test::turnEventLoop();
    }

    void connectsToAMasterWhenItIsNeeded() {
        QCOMPARE(m_shards->server(0).linkCount(), size_t{0});
        QVERIFY(!m_connections->isReady(key));
        test::turnEventLoop();
        QCOMPARE(m_shards->server(0).linkCount(), size_t{1});
        QCOMPARE(m_shards->server(1).linkCount(), size_t{0});
    }

    void isReadyWhenTheOwnerIs() {
        const Completion<Done> ready = m_connections->whenReady(key);
        QVERIFY(!ready.isCompleted());
        accept(0);
        QVERIFY(ready.isCompleted());
    }

    void isReadyWhenAnOwnerIsKnownAtLast() {
        m_shards->remove(0);
        const Completion<Done> ready = m_connections->whenReady(key);
        m_shards->move(key, 1);
        m_shards->tellChanged();
        QVERIFY(!ready.isCompleted());
        accept(1);
        QVERIFY(ready.isCompleted());
    }

    void isReadyWhereTheSlotHasMovedTo() {
        const Completion<Done> ready = m_connections->whenReady(key);
        m_shards->move(key, 1);
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
        link(0).reply(refusal("MOVED", "node1:6379"));
        QCOMPARE(commandAt(1), "EVALSHA");
        link(1).reply(test::number(7));
        QCOMPARE(answer(), 7);
        QVERIFY(m_shards->shardOf(slotOfKey) == test::FakeShards::id(1));
    }

    // ASK is for this one command: the slot stays where it is.
    void askLeadsToTheOtherNodeOnce() {
        begin();
        link(0).reply(refusal("ASK", "node1:6379"));
        const QList<QByteArrayList> commands = link(1).takeCommands();
        QCOMPARE(commands.size(), 2);
        QCOMPARE(commands[0], QByteArrayList{"ASKING"});
        QCOMPARE(commands[1].value(0), "EVAL");
        link(1).reply("+OK\r\n" + test::number(7));
        QCOMPARE(answer(), 7);
        QVERIFY(m_shards->shardOf(slotOfKey) == test::FakeShards::id(0));
    }

    // Before the slot has moved, the subscribers of the messages are at the node that serves it.
    void publishesToTheChannelsThatItsListenersHave_data() {
        QTest::addColumn<Publishing>("publishing");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("for clients of all versions") << Publishing::PlainAndSharded << false << QByteArray("both");
        QTest::newRow("for new clients") << Publishing::Sharded << false << QByteArray("sharded");
        QTest::newRow("at the node that the key has moved to") << Publishing::Sharded << true << QByteArray("both");
    }
    void publishesToTheChannelsThatItsListenersHave() {
        QFETCH(Publishing, publishing);
        QFETCH(bool, asked);
        QFETCH(QByteArray, sent);
        m_shards->setPublishing(publishing);
        redis::Script script("plain");
        script.setForms(redis::Script("both"), redis::Script("sharded"));
        connectAll();
        (void)m_connections->run(key, redis::ScriptCall(script, {key}, {}), Deadline::never(*m_clock));
        QCOMPARE(commandAt(0), "EVALSHA");
        if (asked)
            link(0).reply(refusal("ASK", "node1:6379"));
        else
            link(0).reply("-NOSCRIPT No matching script.\r\n");
        QCOMPARE(link(asked ? 1 : 0).takeCommands().last().value(1), sent);
    }

    void aNodeThatServesItLaterIsAskedAfterGrowingPauses_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("the keys are moving")
            << QByteArray("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
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

    // The caller then knows that the command was not executed.
    void aRefusalIsTheAnswerWhenPatienceEnds() {
        begin(100ms);
        int sent = 0;
        while (!m_answer && sent < 10) {
            if (commandAt(0).isEmpty()) {
                m_clock->advance(10ms);
            } else {
                ++sent;
                link(0).reply("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
            }
        }
        QCOMPARE(sent, 3);  // after 0, 20 and 60 ms
        QCOMPARE(m_answer->error().reply, ReplyKind::TryAgain);
        m_clock->advance(5s);
        QCOMPARE(commandAt(0), QByteArray());
    }

    // As if two nodes name each other.
    void doesNotFollowRedirectsWithoutEnd() {
        begin();
        int sent = 0;
        for (int i = 0; i < 20; ++i) {
            for (quint32 shard = 0; shard < 2; ++shard) {
                if (commandAt(shard).isEmpty())
                    continue;
                ++sent;
                link(shard).reply(refusal("MOVED", shard == 0 ? "node1:6379" : "node0:6379"));
            }
        }
        QCOMPARE(sent, 4);
    }

    // It is not known what has happened, so the command is not sent again.
    void aLostConnectionEndsIt() {
        begin();
        QCOMPARE(commandAt(0), "EVALSHA");
        link(0).lose();
        QVERIFY(m_answer && !m_answer->ok());
        QCOMPARE(m_answer->error().code, ErrorCode::OutcomeUnknown);
        QCOMPARE(commandAt(1), QByteArray());
    }

    // The command was refused, so it is known that it was not executed.
    void closingEndsACallThatPauses() {
        begin();
        link(0).reply("-CLUSTERDOWN The cluster is down\r\n");
        QVERIFY(!m_answer);
        m_connections->close();
        QVERIFY(m_answer && !m_answer->ok());
        QCOMPARE(m_answer->error().code, ErrorCode::ConnectionLost);
        m_clock->advance(5s);
        QCOMPARE(m_sentAgain, 0);
    }

    void whatMayNotBeSentAgainIsNot_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("after a pause") << QByteArray("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
        QTest::newRow("to another node") << refusal("MOVED", "node1:6379");
        QTest::newRow("while the slot moves") << refusal("ASK", "node1:6379");
        QTest::newRow("whole") << QByteArray("-NOSCRIPT No matching script.\r\n");
    }
    void whatMayNotBeSentAgainIsNot() {
        QFETCH(const QByteArray, reply);
        begin();
        QCOMPARE(commandAt(0), "EVALSHA");
        m_refusal = Error(ErrorCode::NotArmed, control::ConsoleCause::NotArmed);
        link(0).reply(reply);
        m_clock->advance(5s);
        QVERIFY(m_answer && !m_answer->ok());
        QCOMPARE(m_answer->error().code, ErrorCode::NotArmed);
        QCOMPARE(commandAt(0), QByteArray());
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
        m_shards->remove(0);
        m_shards->tellChanged();
        QVERIFY(m_answer && !m_answer->ok());
        QTRY_VERIFY(!connection);
    }

private:
    void accept(quint32 shard) { m_shards->server(shard).acceptAll(); }
    void connectAll() {
        (void)m_connections->of(key);
        (void)m_connections->at("node1:6379");
        accept(0);
        accept(1);
    }
    // The script is sent to the first shard; both are connected.
    void begin(std::optional<Milliseconds> time = std::nullopt) {
        connectAll();
        const redis::ScriptCall call(redis::Script("return 7"), {key}, {});
        const Deadline patience = time ? Deadline::in(*m_clock, *time) : Deadline::never(*m_clock);
        m_connections
            ->run(key, call, patience,
                  [this] {
                      ++m_sentAgain;
                      return m_refusal;
                  })
            .then([this](const Result<RespValue>& reply) { m_answer = reply; });
    }
    [[nodiscard]] test::FakeLink& link(quint32 shard) { return m_shards->server(shard).lastLink(); }
    // The name of the only command that has arrived since the last call; empty if there is none.
    [[nodiscard]] QByteArray commandAt(quint32 shard) {
        return link(shard).isOpen() ? link(shard).takeCommand().value(0) : QByteArray();
    }
    [[nodiscard]] qint64 answer() const { return m_answer && m_answer->ok() ? (*m_answer)->integer : -1; }

    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeShards> m_shards;
    std::unique_ptr<topology::ShardConnections> m_connections;
    std::optional<Result<RespValue>> m_answer;
    int m_sentAgain = 0;
    std::optional<Error> m_refusal;  // the answer to each further sending
};

LOCKKEEPER_TEST(TestShardConnections, Guiless)

}  // namespace tst_shardconnections

#include "tst_shardconnections.moc"
