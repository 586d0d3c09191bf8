// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor.h"
#include "support/fakeshards.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitor_nodes {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The Monitor over the masters of a Cluster: its locks, their moves between nodes, and what each node counts.
class TestMonitorNodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void watchesTheLocksOfAllNodes();
    void aRowSaysWhereItWasRead();
    void aRowSaysHowItsNodePublishes();
    void theNodesAreListed();
    void oneReachableNodeIsEnough();
    void failsOnlyIfNoNodeIsReached();
    void aLostNodeIsReportedWhileTheOthersGoOn();
    void aLostScanConnectionDoesNotFlicker();
    void aNodeThatServesNoKeysIsNotWatched();
    void reconnectsOnlyIfAllAreLost();
    void aSweepIsOverWhenAllNodesAreSwept();
    void aNewNodesLocksAreFoundAndNotAcquired();

    void aRedirectedReadSaysNothing_data();
    void aRedirectedReadSaysNothing();
    void aRedirectedReadIsRepeatedEverMoreSlowly();
    void aMovedLockIsHandedOverWithItsHistory();
    void aMigratedKeyIsNotADeletedLock();
    void aMovedLockThatChangedMeanwhileHasAGap();
    void theLocksOfANodeThatIsGoneFollowTheirSlots();
    void aLockWithoutANodeWaitsForOne();
    void keysInSlotsThatMoveHereAreNotRead();

    void aPlainMessageCountsAtOneNode();
    void waitersAreCountedWhenAllNodesHaveCounted();
    void plainWaitersAreAddedUpOverTheNodes();
    void aCountOfOneNodeDoesNotEndTheWaitersOfAnother();
    void aClientOnBothKindsOfChannelCountsOnce();
    void ownSubscriptionsAreNoWaiters();
    void otherMonitorsMakeACountAnUpperBound();
    void whatOnlyOtherMonitorsListenToIsNotWaitedFor();
    void whoDoesNotFollowASlotIsDeaf();
    void aFreeLockIsFoundByAWaiterOnAnotherNode();

    void subscribesToTheChannelsOfKnownLocks();
    void aShardedMessageIsARelease();
    void withTheSubscriptionItIsKnownThatNoMessageCame();
    void withoutTheSubscriptionNothingProvesADeletion();
    void aReleaseOnBothKindsOfChannelIsOne();
    void anEndedSubscriptionAsksWhereTheSlotIs();

private:
    // What a fake node answers.
    struct Answers {
        QMap<QByteArray, QByteArray> locks;  // answers to reads, by name
        QMap<QByteArray, int> plain;         // subscribers by channel
        QMap<QByteArray, int> sharded;
        bool refusesShardedChannels = false;
        bool isDown = false;
        QByteArray clients;              // answer to CLIENT LIST
        QList<QByteArrayList> commands;  // all commands that arrived
    };

    void make(quint32 shards, const MonitorOptions& options = {});
    // A lock of the first node, held by alice.
    QByteArray watchOneLock(quint32 shards);
    void play();
    void playNode(quint32 node);
    void answer(Answers& node, FakeLink& link, const QByteArrayList& command);
    void settle(Milliseconds time = 60ms);
    FakeLink& watching(quint32 node) { return m_shards->server(node).link(0); }
    QByteArrayList takeEvents();
    int reads(quint32 node, const QByteArray& name) const;
    void hold(quint32 node, const QByteArray& name, const HolderId& holder = alice) {
        m_nodes[node].locks[name] = heldReply(holder, 1, -1);
    }
    LockRow row(const QByteArray& name) const { return *m_monitor->row(LockName(name)); }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeShards> m_shards;
    std::unique_ptr<Monitor> m_monitor;
    std::vector<Answers> m_nodes;
    std::vector<LockEvent> m_events;
    std::vector<MonitorPhase> m_phases;
    MonitorStats m_stats;
    quint64 m_sweeps = 0;
};

void TestMonitorNodes::init() {
    m_clock = std::make_unique<ManualClock>();
    m_events.clear();
    m_phases.clear();
    m_stats = {};
    m_sweeps = 0;
    m_nodes.assign(4, {});
}

void TestMonitorNodes::cleanup() {
    m_monitor.reset();
    m_shards.reset();
    turnEventLoop();
    QVERIFY(!m_clock->hasTimers());
}

void TestMonitorNodes::make(quint32 shards, const MonitorOptions& options) {
    m_shards = std::make_unique<FakeShards>(shards);
    m_monitor = std::make_unique<Monitor>(redis::ConnectionOptions(), *m_shards, *m_clock, options);
    connect(m_monitor.get(), &Monitor::batchReady, this, [this](const SharedBatch& batch) {
        for (const LockEvent& event : batch->events) {
            if (event.type == EventType::Swept)
                ++m_sweeps;
            else if (!event.diagnosis)
                m_events.push_back(event);
        }
        m_stats = batch->stats.value_or(m_stats);
    });
    connect(m_monitor.get(), &Monitor::statusChanged, this,
            [this](const MonitorStatus& status) { m_phases.push_back(status.phase); });
    m_monitor->start();
}

QByteArray TestMonitorNodes::watchOneLock(quint32 shards) {
    make(shards);
    const QByteArray key = m_shards->keyOf(0);
    hold(0, key);
    settle();
    takeEvents();
    return key;
}

void TestMonitorNodes::answer(Answers& node, FakeLink& link, const QByteArrayList& command) {
    const QByteArray name = command.value(0);
    if (name == "PSUBSCRIBE") {
        link.reply(subscribedReply(command.value(1)));
    } else if (name == "SSUBSCRIBE" && node.refusesShardedChannels) {
        link.reply("-NOPERM this user has no permissions to access one of the channels used as arguments\r\n");
    } else if (name == "SSUBSCRIBE" || name == "SUNSUBSCRIBE") {
        link.reply(">3\r\n" + bulk(name.toLower()) + bulk(command.value(1)) + number(1));
    } else if (name == "CLIENT" && command.value(1) == "LIST") {
        link.reply(bulk(node.clients));
    } else if (name == "DBSIZE") {
        link.reply(number(node.locks.size()));
    } else if (name == "PUBSUB") {
        const QMap<QByteArray, int>& channels = command.value(1).startsWith("SHARD") ? node.sharded : node.plain;
        QByteArray text;
        qsizetype items = 0;
        for (auto [channel, clients] : channels.asKeyValueRange()) {
            const bool isListed =
                command.value(1).endsWith("CHANNELS") && channel.startsWith(command.value(2).chopped(1));
            const bool isCounted = command.value(1).endsWith("NUMSUB") && command.contains(channel);
            if (!isListed && !isCounted)
                continue;
            text += bulk(channel) + (isCounted ? number(clients) : QByteArray());
            items += isCounted ? 2 : 1;
        }
        link.reply('*' + QByteArray::number(items) + "\r\n" + text);
    } else if (name == "SCAN") {
        link.reply("*2\r\n" + bulk("0") + list(node.locks.keys()));
    } else if (name == "EVALSHA_RO" && node.isDown) {
        link.reply("-CLUSTERDOWN The cluster is down\r\n");
    } else if (name == "EVALSHA_RO") {
        link.reply(node.locks.value(command.value(3), freeReply()));
    } else {
        link.reply("+OK\r\n");
    }
}

void TestMonitorNodes::playNode(quint32 node) {
    m_shards->server(node).serve([&](FakeLink& link, const QByteArrayList& command) {
        m_nodes[node].commands += command;
        answer(m_nodes[node], link, command);
    });
}

void TestMonitorNodes::play() {
    for (int round = 0; round < 5; ++round) {
        for (const topology::ShardId shard : m_shards->all())
            playNode(static_cast<quint32>(shard));
    }
    m_clock->advance(0ms);
}

void TestMonitorNodes::settle(Milliseconds time) {
    play();
    for (Milliseconds passed = 0ms; passed < time; passed += 20ms) {
        m_clock->advance(20ms);
        play();
    }
}

QByteArrayList TestMonitorNodes::takeEvents() {
    const QByteArrayList texts = described(m_events);
    m_events.clear();
    return texts;
}

int TestMonitorNodes::reads(quint32 node, const QByteArray& name) const {
    return static_cast<int>(std::ranges::count_if(m_nodes[node].commands, [&name](const QByteArrayList& command) {
        return command.value(0) == "EVALSHA_RO" && command.value(3) == name;
    }));
}

// ---- nodes ----

void TestMonitorNodes::watchesTheLocksOfAllNodes() {
    make(3);
    for (quint32 node = 0; node < 3; ++node)
        hold(node, m_shards->keyOf(node));
    settle();
    QCOMPARE(takeEvents(), QByteArrayList({"found alice", "found alice", "found alice"}));
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    QCOMPARE(m_shards->refreshes, 0);
}

void TestMonitorNodes::aRowSaysWhereItWasRead() {
    make(2);
    hold(1, m_shards->keyOf(1));
    settle();
    QCOMPARE(row(m_shards->keyOf(1)).lock.node->shard, FakeShards::id(1));
    QCOMPARE(row(m_shards->keyOf(1)).lock.node->address, QStringLiteral("node1:6379"));
    QVERIFY(m_events.front().lock.node);
}

// The way of publishing is known only after the handshake with the node.
void TestMonitorNodes::aRowSaysHowItsNodePublishes() {
    make(2);
    m_shards->setPublishing(redis::Publishing::Sharded);
    hold(1, m_shards->keyOf(1));
    settle();
    QCOMPARE(row(m_shards->keyOf(1)).lock.node->publishing, redis::Publishing::Sharded);
}

void TestMonitorNodes::theNodesAreListed() {
    make(2);
    hold(1, m_shards->keyOf(1));
    settle(600ms);
    QCOMPARE(m_stats.nodes.size(), 2);
    QCOMPARE(m_stats.nodes[1].address, QStringLiteral("node1:6379"));
    QCOMPARE(m_stats.nodes[1].phase, NodePhase::Watching);
    QCOMPARE(m_stats.nodes[1].knownLocks, 1);
    QCOMPARE(m_stats.nodes[1].serverVersion, QByteArray("7.0.15"));
    QCOMPARE(m_stats.readBudgetPerSecond, 4000);
    QCOMPARE(m_stats.knownLocks, 1);
}

void TestMonitorNodes::oneReachableNodeIsEnough() {
    make(2);
    watching(0).lose(ErrorCode::ConnectionRefused);
    QCOMPARE(m_phases, std::vector<MonitorPhase>{MonitorPhase::Connecting});
    m_shards->server(1).acceptAll();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
}

void TestMonitorNodes::failsOnlyIfNoNodeIsReached() {
    make(2);
    watching(0).lose(ErrorCode::ConnectionRefused);
    watching(1).lose(ErrorCode::ConnectionRefused);
    QCOMPARE(m_phases, (std::vector<MonitorPhase>{MonitorPhase::Connecting, MonitorPhase::Failed}));
    m_clock->advance(60s);
    QCOMPARE(m_shards->server(0).linkCount(), size_t{1});
}

void TestMonitorNodes::aLostNodeIsReportedWhileTheOthersGoOn() {
    make(2);
    hold(0, m_shards->keyOf(0));
    hold(1, m_shards->keyOf(1));
    settle(600ms);
    takeEvents();
    watching(0).lose();
    hold(1, m_shards->keyOf(1), bob);
    watching(1).reply(invalidation(m_shards->keyOf(1)));
    playNode(1);
    m_clock->advance(500ms);
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    QCOMPARE(m_stats.nodes[0].phase, NodePhase::Reconnecting);
    QVERIFY(m_stats.nodes[0].error);
    QCOMPARE(m_stats.nodes[1].phase, NodePhase::Watching);
    QCOMPARE(takeEvents(), QByteArrayList{"handed_over bob"});
    QCOMPARE(row(m_shards->keyOf(0)).lock.holders.size(), 1);
}

// Each attempt to connect goes through the same states again; the shown state must not change with them.
void TestMonitorNodes::aLostScanConnectionDoesNotFlicker() {
    const auto isReported = [this] {
        return std::ranges::any_of(
            m_stats.denied, [](const Denial& denial) { return denial.consequence == Consequence::NoConnectionToScan; });
    };
    make(2);
    settle(600ms);
    QVERIFY(!isReported());
    FakeServer& server = m_shards->server(0);
    server.link(1).lose(ErrorCode::ConnectionRefused);
    m_clock->advance(500ms);
    for (int attempt = 0; attempt < 20; ++attempt) {
        QVERIFY(isReported());
        if (attempt % 2 == 0 && server.lastLink().isOpen())
            server.lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(500ms);
    }
    QVERIFY(server.linkCount() > 4);
    for (int i = 0; i < 10 && isReported(); ++i) {
        m_clock->advance(500ms);
        settle(600ms);
    }
    QVERIFY(!isReported());
}

// The node answers, but refuses to read any key.
void TestMonitorNodes::aNodeThatServesNoKeysIsNotWatched() {
    make(2);
    hold(0, m_shards->keyOf(0));
    hold(1, m_shards->keyOf(1));
    m_nodes[0].isDown = true;
    settle(600ms);
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    QCOMPARE(m_stats.nodes[0].phase, NodePhase::NotServing);
    QCOMPARE(m_stats.nodes[0].error.value_or(Error()).reply, ReplyKind::ClusterDown);
    QCOMPARE(m_stats.nodes[1].phase, NodePhase::Watching);
    QVERIFY(m_sweeps > 0);
    QCOMPARE(takeEvents(), QByteArrayList{"found alice"});
    m_nodes[0].isDown = false;
    settle(2500ms);
    QCOMPARE(m_stats.nodes[0].phase, NodePhase::Watching);
    // The lock may have been held all the time.
    QCOMPARE(takeEvents(), QByteArrayList{"found alice"});
}

void TestMonitorNodes::reconnectsOnlyIfAllAreLost() {
    make(2);
    settle();
    watching(0).lose();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    watching(1).lose();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Reconnecting);
    QVERIFY(m_monitor->status().error);
}

void TestMonitorNodes::aSweepIsOverWhenAllNodesAreSwept() {
    make(2);
    for (int i = 0; i < 5; ++i)
        playNode(0);
    m_clock->advance(60ms);
    QCOMPARE(m_sweeps, quint64{0});
    settle();
    QCOMPARE(m_sweeps, quint64{1});
}

void TestMonitorNodes::aNewNodesLocksAreFoundAndNotAcquired() {
    make(1);
    const QByteArray key = m_shards->keyOf(0);
    settle();
    m_shards->add(1);
    m_shards->move(key, 1);
    hold(1, key);
    m_shards->tellChanged();
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"found alice"});
}

// ---- slots that move ----

void TestMonitorNodes::aRedirectedReadSaysNothing_data() {
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("moved") << QByteArray("-MOVED 1 node1:6379\r\n");
    QTest::newRow("is moving") << QByteArray("-ASK 1 node1:6379\r\n");
    QTest::newRow("a part is moving") << QByteArray("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
    QTest::newRow("nobody serves it") << QByteArray("-CLUSTERDOWN Hash slot not served\r\n");
}

void TestMonitorNodes::aRedirectedReadSaysNothing() {
    QFETCH(QByteArray, reply);
    const QByteArray key = watchOneLock(2);
    m_nodes[0].locks[key] = reply;
    watching(0).reply(invalidation(key));
    settle();
    QCOMPARE(takeEvents(), QByteArrayList());
    QVERIFY(row(key).lock.isHeldBy(alice));
    QVERIFY(m_shards->refreshes > 0);
    settle(600ms);
    QCOMPARE(m_stats.denied.size(), 0);
    // Only a gap shows that the lock could not be read for a while.
    hold(0, key);
    settle(4s);
    QCOMPARE(takeEvents(), QByteArrayList{"not_watched"});
}

void TestMonitorNodes::aRedirectedReadIsRepeatedEverMoreSlowly() {
    const QByteArray key = watchOneLock(1);
    m_nodes[0].locks[key] = "-CLUSTERDOWN The cluster is down\r\n";
    watching(0).reply(invalidation(key));
    const int before = reads(0, key);
    settle(1s);
    const int inTheFirstSecond = reads(0, key) - before;
    settle(9s);
    const int inTheOtherNine = reads(0, key) - before - inTheFirstSecond;
    QVERIFY2(inTheFirstSecond >= 3, qPrintable(QString::number(inTheFirstSecond)));
    QVERIFY2(inTheOtherNine <= 6, qPrintable(QString::number(inTheOtherNine)));
}

void TestMonitorNodes::aMovedLockIsHandedOverWithItsHistory() {
    const QByteArray key = watchOneLock(2);
    const Hold before = row(key).hold;
    takeEvents();
    m_nodes[0].locks[key] = "-MOVED 1 node1:6379\r\n";
    hold(1, key);
    m_shards->move(key, 1);
    m_shards->tellChanged();
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"not_watched"});
    QCOMPARE(row(key).lock.node->shard, FakeShards::id(1));
    QCOMPARE(row(key).hold.since, before.since);
    // From now on the lock is watched at this node.
    hold(1, key, bob);
    watching(1).reply(invalidation(key));
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"handed_over bob"});
}

void TestMonitorNodes::aMigratedKeyIsNotADeletedLock() {
    const QByteArray key = watchOneLock(2);
    // MIGRATE deletes the key; the slot belongs to the first node until the end of the move.
    m_nodes[0].locks[key] = "-ASK 1 node1:6379\r\n";
    watching(0).reply(invalidation(key));
    settle(500ms);
    m_nodes[0].locks[key] = "-MOVED 1 node1:6379\r\n";
    settle(500ms);
    QCOMPARE(takeEvents(), QByteArrayList());
    hold(1, key);
    m_shards->move(key, 1);
    m_shards->tellChanged();
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"not_watched"});
    QVERIFY(row(key).lock.isHeldBy(alice));
}

void TestMonitorNodes::aMovedLockThatChangedMeanwhileHasAGap() {
    const QByteArray key = watchOneLock(2);
    m_nodes[0].locks[key] = "-ASK 1 node1:6379\r\n";
    watching(0).reply(invalidation(key));
    settle(1s);
    hold(1, key, bob);
    m_shards->move(key, 1);
    m_shards->tellChanged();
    settle();
    QCOMPARE(m_events.size(), size_t{2});
    QCOMPARE(m_events.front().type, EventType::NotWatched);
    QVERIFY(m_events.front().gap >= 1s);
    QVERIFY(m_events.front().gap <= 1200ms);
    QCOMPARE(takeEvents().last(), QByteArray("handed_over bob"));
}

void TestMonitorNodes::theLocksOfANodeThatIsGoneFollowTheirSlots() {
    const QByteArray key = watchOneLock(2);
    m_shards->remove(0);
    m_shards->move(key, 1);
    hold(1, key);
    m_shards->tellChanged();
    settle();
    QVERIFY(!watching(0).isOpen());
    QCOMPARE(takeEvents(), QByteArrayList{"not_watched"});
    settle(600ms);
    QCOMPARE(m_stats.nodes.size(), 1);
}

void TestMonitorNodes::aLockWithoutANodeWaitsForOne() {
    const QByteArray key = watchOneLock(2);
    m_shards->remove(0);
    m_shards->tellChanged();
    settle(2s);
    QCOMPARE(takeEvents(), QByteArrayList());
    QVERIFY(row(key).lock.isHeld());
    m_shards->move(key, 1);
    hold(1, key);
    m_shards->tellChanged();
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"not_watched"});
}

void TestMonitorNodes::keysInSlotsThatMoveHereAreNotRead() {
    make(2);
    const QByteArray key = m_shards->keyOf(0);
    m_nodes[1].locks[key] = "-MOVED 1 node0:6379\r\n";
    settle();
    QCOMPARE(reads(1, key), 0);
    QVERIFY(m_shards->refreshes > 0);
}

// ---- messages and waiters ----

void TestMonitorNodes::aPlainMessageCountsAtOneNode() {
    const QByteArray key = watchOneLock(2);
    const QByteArray message = messageOn("redisson_lock__channel:{" + key + '}');
    watching(1).reply(message);
    m_nodes[0].locks[key] = freeReply();
    watching(0).reply(message + invalidation(key));
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"released alice"});
    QCOMPARE(row(key).releasesReceived, quint64{1});
    QCOMPARE(reads(1, key), 0);
}

void TestMonitorNodes::waitersAreCountedWhenAllNodesHaveCounted() {
    make(2);
    const QByteArray key = m_shards->keyOf(0);
    hold(0, key);
    m_nodes[0].plain["redisson_lock__channel:{" + key + '}'] = 1;
    for (int i = 0; i < 5; ++i)
        playNode(0);
    m_clock->advance(100ms);
    QVERIFY(!row(key).lock.waiters);
    settle();
    QCOMPARE(row(key).lock.waiters, std::optional(1));
}

void TestMonitorNodes::plainWaitersAreAddedUpOverTheNodes() {
    make(3);
    const QByteArray key = m_shards->keyOf(0);
    hold(0, key);
    for (quint32 node = 0; node < 3; ++node)
        m_nodes[node].plain["redisson_lock__channel:{" + key + '}'] = static_cast<int>(node) + 1;
    settle(2s);
    QCOMPARE(row(key).lock.waiters, std::optional(6));
}

void TestMonitorNodes::aCountOfOneNodeDoesNotEndTheWaitersOfAnother() {
    const QByteArray key = watchOneLock(2);
    m_nodes[0].sharded["redisson_lock__channel:{" + key + '}'] = 3;  // one is the monitor itself
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(2));
    watching(0).lose();
    for (int i = 0; i < 4; ++i) {
        m_clock->advance(1s);
        playNode(1);
    }
    QCOMPARE(row(key).lock.waiters, std::optional(2));
    QCOMPARE(takeEvents().count("waiters"), 1);
}

void TestMonitorNodes::aClientOnBothKindsOfChannelCountsOnce() {
    make(2);
    const QByteArray key = m_shards->keyOf(0);
    const QByteArray channel = "redisson_lock__channel:{" + key + '}';
    hold(0, key);
    m_nodes[0].sharded[channel] = 3;
    m_nodes[0].plain[channel] = 1;
    m_nodes[1].plain[channel] = 2;
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(3));
}

void TestMonitorNodes::ownSubscriptionsAreNoWaiters() {
    const QByteArray key = watchOneLock(1);
    m_nodes[0].sharded["redisson_lock__channel:{" + key + '}'] = 1;
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(0));
    QCOMPARE(takeEvents(), QByteArrayList());
}

void TestMonitorNodes::otherMonitorsMakeACountAnUpperBound() {
    const QByteArray key = watchOneLock(1);
    const QByteArray monitor = "id=70 addr=10.0.0.9:4711 name=lockkeeper sub=0 psub=2 ssub=1\n";
    m_nodes[0].sharded["redisson_lock__channel:{" + key + '}'] = 3;  // one is the monitor itself
    m_nodes[0].clients = monitor + "id=80 addr=10.0.0.8:4711 name=orders sub=0 psub=0 ssub=1\n";
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(2));
    QCOMPARE(row(key).lock.monitorsAmongWaiters, 0);
    m_nodes[0].clients += monitor;
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(2));
    QCOMPARE(row(key).lock.monitorsAmongWaiters, 1);
    // Their number is not kept if the server does not report it any more.
    const QByteArray told = std::exchange(m_nodes[0].clients, {});
    settle(5s);
    QCOMPARE(row(key).lock.monitorsAmongWaiters, 0);
    m_nodes[0].clients = told;
    settle(5s);
    QCOMPARE(row(key).lock.monitorsAmongWaiters, 1);
    // A subscriber of the plain channel is no monitor.
    m_nodes[0].plain["redisson_lock__channel:{" + key + '}'] = 2;
    settle(5s);
    QCOMPARE(row(key).lock.monitorsAmongWaiters, 0);
}

void TestMonitorNodes::whatOnlyOtherMonitorsListenToIsNotWaitedFor() {
    make(1);
    const QByteArray key = m_shards->keyOf(0);
    m_nodes[0].sharded["redisson_lock__channel:{" + key + '}'] = 1;
    m_nodes[0].clients = QByteArray("id=70 addr=10.0.0.9:4711 name=lockkeeper sub=0 psub=2 ssub=1\n").repeated(2);
    settle(5s);
    QVERIFY(!m_monitor->row(LockName(key)));
    m_nodes[0].sharded["redisson_lock__channel:{" + key + '}'] = 2;
    m_nodes[0].clients += "id=80 addr=10.0.0.8:4711 name=orders sub=0 psub=0 ssub=1\n";
    settle(5s);
    QVERIFY(m_monitor->row(LockName(key)));
}

void TestMonitorNodes::whoDoesNotFollowASlotIsDeaf() {
    const QByteArray key = watchOneLock(2);
    const QByteArray channel = "redisson_lock__channel:{" + key + '}';
    m_nodes[0].sharded[channel] = 3;  // one is the monitor itself
    settle(5s);
    QCOMPARE(row(key).lock.waiters, std::optional(2));
    m_nodes[0].sharded.clear();
    m_nodes[0].locks[key] = "-MOVED 1 node1:6379\r\n";
    m_nodes[1].sharded[channel] = 1;
    hold(1, key);
    m_shards->move(key, 1);
    m_shards->tellChanged();
    const auto deaf = [this, key] {
        const QList<Diagnosis> diagnoses = row(key).diagnoses;
        const auto found = std::ranges::find(diagnoses, DiagnosisKind::DeafWaiters, &Diagnosis::kind);
        return found == diagnoses.end() ? 0 : std::get<DeafWaiters>(found->evidence).clients;
    };
    settle(9s);
    QCOMPARE(deaf(), 0);
    settle(4s);
    QCOMPARE(deaf(), 2);
}

void TestMonitorNodes::aFreeLockIsFoundByAWaiterOnAnotherNode() {
    make(2);
    const QByteArray key = m_shards->keyOf(1);
    m_nodes[0].plain["redisson_lock__channel:{" + key + '}'] = 1;
    settle(5s);
    QVERIFY(m_monitor->row(LockName(key)));
    QCOMPARE(row(key).lock.node->shard, FakeShards::id(1));
    QCOMPARE(row(key).lock.waiters, std::optional(1));
    QCOMPARE(reads(0, key), 0);
}

// ---- sharded messages ----

void TestMonitorNodes::subscribesToTheChannelsOfKnownLocks() {
    make(2);
    const QByteArray key = m_shards->keyOf(1);
    hold(1, key);
    settle();
    const QByteArrayList subscription{"SSUBSCRIBE", "redisson_lock__channel:{" + key + '}'};
    QCOMPARE(m_nodes[1].commands.count(subscription), 1);
    QVERIFY(!m_nodes[0].commands.contains(subscription));
}

void TestMonitorNodes::aShardedMessageIsARelease() {
    const QByteArray key = watchOneLock(1);
    m_nodes[0].locks[key] = freeReply();
    watching(0).reply(pushOf({"smessage", "redisson_lock__channel:{" + key + '}', "0"}) + invalidation(key));
    settle();
    QCOMPARE(takeEvents(), QByteArrayList{"released alice"});
    QCOMPARE(row(key).releasesReceived, quint64{1});
}

void TestMonitorNodes::withTheSubscriptionItIsKnownThatNoMessageCame() {
    const QByteArray key = watchOneLock(1);
    m_nodes[0].locks[key] = freeReply();
    watching(0).reply(invalidation(key));
    settle(200ms);
    QCOMPARE(takeEvents(), QByteArrayList{"released alice without a message"});
}

void TestMonitorNodes::withoutTheSubscriptionNothingProvesADeletion() {
    m_nodes[0].refusesShardedChannels = true;
    const QByteArray key = watchOneLock(1);
    m_nodes[0].locks[key] = freeReply();
    watching(0).reply(invalidation(key));
    settle(600ms);
    QCOMPARE(takeEvents(), QByteArrayList{"gone alice"});
    QCOMPARE(m_stats.denied.size(), 1);
    QCOMPARE(m_stats.denied.first().consequence, Consequence::ReleasesUnknown);
    QCOMPARE(m_stats.denied.first().node, QString());
}

void TestMonitorNodes::aReleaseOnBothKindsOfChannelIsOne() {
    const QByteArray key = watchOneLock(1);
    const QByteArray channel = "redisson_lock__channel:{" + key + '}';
    watching(0).reply(pushOf({"smessage", channel, "0"}) + messageOn(channel));
    settle(200ms);
    QCOMPARE(row(key).releasesReceived, quint64{1});
    watching(0).reply(messageOn(channel) + pushOf({"smessage", channel, "0"}));
    settle(200ms);
    QCOMPARE(row(key).releasesReceived, quint64{2});
}

void TestMonitorNodes::anEndedSubscriptionAsksWhereTheSlotIs() {
    const QByteArray key = watchOneLock(2);
    m_nodes[0].locks[key] = "-MOVED 1 node1:6379\r\n";
    const int before = reads(0, key);
    watching(0).reply(">3\r\n" + bulk("sunsubscribe") + bulk("redisson_lock__channel:{" + key + '}') + number(0));
    settle();
    QVERIFY(m_shards->refreshes > 0);
    QVERIFY(reads(0, key) > before);
    QCOMPARE(takeEvents(), QByteArrayList());
}

LOCKKEEPER_TEST(TestMonitorNodes, Guiless)

}  // namespace tst_monitor_nodes

#include "tst_monitor_nodes.moc"
