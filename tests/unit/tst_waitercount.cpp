// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/waitercount.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_waitercount {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using Counted = ShardedMessages::Counted;

namespace {

class ClusterNode final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return true; }
    [[nodiscard]] bool keeps(const LockName&) const override { return true; }
    void noteMovedKeys() const override {}
};

class NoLocks final : public KnownLocks {
public:
    [[nodiscard]] bool knows(const LockName&) const override { return false; }
};

const QByteArray channel = QByteArrayLiteral("redisson_lock__channel:{L}");

// A count at a fake server, which knows no locks.
struct PlayedCount : PlayedConnection {
    explicit PlayedCount(const NodeScope& node) : count(connection, denials, known, node) { open(); }

    [[nodiscard]] Task<void> begin() {
        Task<void> counting = count.count(stop.get_token());
        turnEventLoop();
        return counting;
    }

    NoLocks known;
    Denials denials;
    WaiterCount count;
    std::stop_source stop;
};

}  // namespace

class TestWaiterCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The subscription of this monitor may begin or end while the server counts.
    void ourOwnSubscriptionIsNoWaiter_data() {
        QTest::addColumn<Counted>("before");
        QTest::addColumn<Counted>("after");
        QTest::addColumn<int>("counted");
        QTest::addColumn<int>("waiters");
        QTest::newRow("none") << Counted::No << Counted::No << 1 << 1;
        QTest::newRow("counted") << Counted::Yes << Counted::Yes << 2 << 1;
        QTest::newRow("alone") << Counted::Yes << Counted::Yes << 1 << 0;
        QTest::newRow("begins") << Counted::Unclear << Counted::Unclear << 1 << 0;
        QTest::newRow("began") << Counted::Unclear << Counted::Yes << 1 << 0;
        QTest::newRow("is ending") << Counted::Yes << Counted::Unclear << 1 << 0;
        QTest::newRow("ended") << Counted::Yes << Counted::No << 1 << 0;
        QTest::newRow("was ending, and ended") << Counted::Unclear << Counted::No << 1 << 0;
    }
    void ourOwnSubscriptionIsNoWaiter() {
        QFETCH(Counted, before);
        QFETCH(Counted, after);
        QFETCH(int, counted);
        const ClusterNode node;
        PlayedCount played(node);
        Counted own = before;
        played.count.subtract([&own](const QByteArray&) { return own; });
        const Task<void> counting = played.begin();
        for (const QByteArrayList& channels : {QByteArrayList(), QByteArrayList()})
            played.link().reply(list(channels));
        played.link().reply(bulk(""));
        for (const QByteArrayList& channels : {QByteArrayList{channel}, QByteArrayList()})
            played.link().reply(list(channels));
        own = after;
        played.link().reply("*2\r\n" + bulk(channel) + number(counted));
        if (!counting.isReady())  // another subscriber may be a monitor, so it asks for the names of the connections
            played.link().reply(bulk(""));
        QVERIFY(counting.isReady());
        QTEST(played.count.waiting().value(LockName("L")).clients, "waiters");
    }

    // A monitor subscribes to thousands of channels, which are not counted as long as no client can be among them.
    void channelsAreCountedIfAClientMaySubscribe_data() {
        const QByteArray ours = "id=1 addr=10.0.0.1:1 name=lockkeeper flags=P sub=0 psub=3 ssub=9000\n";
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<bool>("isCounted");
        QTest::newRow("monitors alone") << bulk(ours.repeated(2)) << false;
        QTest::newRow("a client of plain channels")
            << bulk(ours + "id=2 addr=10.0.0.2:1 name=orders flags=P sub=7 psub=0 ssub=0\n") << false;
        QTest::newRow("a client of sharded channels")
            << bulk(ours + "id=2 addr=10.0.0.2:1 name=orders flags=P sub=0 psub=0 ssub=1\n") << true;
        QTest::newRow("our own waiting client")
            << bulk(ours + "id=2 addr=10.0.0.1:2 name=lockkeeper-waiting flags=P sub=0 psub=0 ssub=1\n") << true;
        QTest::newRow("a server that does not say")
            << bulk("id=1 addr=10.0.0.1:1 name=lockkeeper flags=P sub=0 psub=3\n") << true;
        QTest::newRow("nobody") << bulk("") << true;
        QTest::newRow("refused") << QByteArray("-NOPERM this user has no permissions to run 'client|list'\r\n") << true;
    }
    void channelsAreCountedIfAClientMaySubscribe() {
        QFETCH(const QByteArray, reply);
        const ClusterNode node;
        PlayedCount played(node);
        const Task<void> counting = played.begin();
        for (int patterns = 0; patterns < 2; ++patterns)
            played.link().reply(list({}));
        (void)played.link().takeCommands();
        played.link().reply(reply);
        const QByteArrayList next = played.link().takeCommands().value(0);
        QTEST(next.value(1) == "SHARDCHANNELS", "isCounted");
        QTEST(!counting.isReady(), "isCounted");
    }

    // A question about a hundred channels, then a pause.
    void manyChannelsAreCountedInParts() {
        PlayedCount played(wholeServer());
        const Task<void> counting = played.begin();
        QByteArrayList channels;
        for (int lock = 0; lock < 101; ++lock)
            channels << "redisson_lock__channel:{" + QByteArray::number(lock) + '}';
        played.link().reply(list(channels));
        (void)played.link().takeCommands();
        played.link().reply(list({}));
        QCOMPARE(played.link().takeCommand(), QByteArrayList({"PUBSUB", "NUMSUB"}) + channels.first(100));
        QByteArray counts = "*200\r\n";
        for (const QByteArray& some : channels.first(100))
            counts += bulk(some) + number(1);
        played.link().reply(counts);
        QCOMPARE(played.link().takeCommands().size(), 0);
        played.clock.advance(Milliseconds(5));
        QCOMPARE(played.link().takeCommand(), QByteArrayList({"PUBSUB", "NUMSUB", channels.last()}));
        played.link().reply("*2\r\n" + bulk(channels.last()) + number(2));
        QVERIFY(counting.isReady());
        QCOMPARE(played.count.waiting().size(), 101);
        QCOMPARE(played.count.waiting().value(LockName("100")).clients, 2);
    }
};

LOCKKEEPER_TEST(TestWaiterCount, Guiless)

}  // namespace tst_waitercount

#include "tst_waitercount.moc"
