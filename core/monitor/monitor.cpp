// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor.h"

#include "base/loopturn.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

Monitor::Monitor(redis::ConnectionOptions options, std::unique_ptr<topology::Shards> ownShards,
                 topology::Shards* shards, Clock& clock, MonitorOptions monitorOptions, QObject* parent)
    : QObject(parent),
      m_connectionOptions(std::move(options)),
      m_clock(clock),
      m_options(std::move(monitorOptions)),
      m_ownShards(std::move(ownShards)),
      m_shards(m_ownShards ? *m_ownShards : *shards),
      m_store(m_options.limits, m_options.timeouts),
      m_nodes(m_shards),
      m_waiters(m_shards),
      m_movedSynchronizers(m_shards, clock) {
    connect(&m_shards, &topology::Shards::changed, this, &Monitor::followShards);
    connect(&m_shards, &topology::Shards::failed, this, &Monitor::onShardsFailed);
    connect(&m_movedSynchronizers, &MovedSynchronizers::changed, this, &Monitor::showSynchronizers);
}

Monitor::Monitor(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
                 MonitorOptions monitorOptions, QObject* parent)
    : Monitor(std::move(options), nullptr, &shards, clock, std::move(monitorOptions), parent) {}

Monitor::Monitor(redis::ConnectionOptions options, redis::TransportFactory makeTransport, Clock& clock,
                 MonitorOptions monitorOptions, QObject* parent)
    : Monitor(std::move(options), std::make_unique<topology::OneShard>(std::move(makeTransport)), nullptr, clock,
              std::move(monitorOptions), parent) {}

Monitor::~Monitor() {
    blockSignals(true);
    stop();
}

void Monitor::start() {
    MonitorStatus connecting;
    connecting.phase = MonitorPhase::Connecting;
    setStatus(connecting);
    scheduleBatch();
    m_shards.open();
    followShards();
}

void Monitor::stop() {
    m_status = MonitorStatus();
    m_shards.disconnect(this);
    m_nodes.stop();
    m_movedSynchronizers.clear();
    for (ClockTimer* timer : {&m_batchTimer, &m_readTimer, &m_coolingTimer, &m_forgetTimer, &m_statsTimer})
        timer->stop();
}

void Monitor::readAgain(const LockName& name) {
    if (m_store.knows(name)) {
        m_nodes.readAgain(name);
    } else if (NodeWatch* node = m_nodes.of(name)) {
        node->discovery().readUnknownName(name);
    }
}

void Monitor::setDiscovery(DiscoveryState state) {
    m_discovery = state;
    for (const auto& node : m_nodes.all())
        node->discovery().setState(state);
}

void Monitor::retryNow() {
    for (const auto& node : m_nodes.all())
        node->retryNow();
}

// ---- shards ----

void Monitor::followShards() {
    if (m_status.phase == MonitorPhase::Stopped || m_status.phase == MonitorPhase::Failed)
        return;
    const QList<topology::ShardId> shards = m_shards.all();
    if (shards.isEmpty())
        return;
    std::vector<NodeWatch*> added;
    for (const topology::ShardId shard : shards) {
        if (!m_nodes.of(shard))
            added.push_back(&addNode(shard));
    }
    for (const auto& node : m_nodes.all())
        node->noteMaster();
    if (m_shards.isCluster())
        m_nodes.moveLocks();
    for (const auto& node : m_nodes.all())
        node->followOutage();
    endNodesWithout(shards);
    for (NodeWatch* node : added)
        node->open();
    scheduleStats();
}

void Monitor::endNodesWithout(const QList<topology::ShardId>& shards) {
    const QList<topology::ShardId> ended = m_nodes.endAllBut(shards);
    if (ended.isEmpty())
        return;
    for (const topology::ShardId shard : ended) {
        m_waiters.forget(shard);
        m_synchronizers.remove(shard);
    }
    refreshStatus(std::nullopt);
    showSynchronizers();
    endSweepIfWhole();
}

NodeWatch& Monitor::addNode(topology::ShardId shard) {
    NodeWatch& node =
        m_nodes.add(std::make_unique<NodeWatch>(shard, m_shards, m_connectionOptions, m_clock, m_options, m_store));
    node.discovery().setState(m_discovery);
    connectTo(node);
    return node;
}

void Monitor::connectTo(NodeWatch& node) {
    connect(&node, &NodeWatch::stateChanged, this, [this, &node] { onNodeState(node); });
    connect(&node, &NodeWatch::figuresChanged, this, &Monitor::scheduleStats);
    connect(&node, &NodeWatch::readRefused, this, [this](const LockName& name) {
        feed(ReadRefused{name});
        scheduleBatch();
    });
    connect(&node, &NodeWatch::lockRead, this, [this, &node](const LockSnapshot& lock, const BetweenReads& between) {
        if (m_store.knows(lock.name))
            learn(node, lock, between);
    });
    connect(&node, &NodeWatch::lockFound, this,
            [this, &node](const LockSnapshot& lock, const BetweenReads& between, Confirmation confirmation) {
                if (learn(node, lock, between) == Stored::Yes)
                    node.observer().watch(lock, confirmation);
            });
    connect(&node, &NodeWatch::lostSightOf, this, [this](const LockName& name) {
        feed(SightLost{name, m_clock.now()});
        scheduleBatch();
    });
    connect(
        &node, &NodeWatch::waitersCounted, this,
        [this, &node](const WaiterTotals::Waiting& plain, SteadyTime countBegan, const WaiterTotals::Waiting& sharded) {
            onWaitersCounted(node, plain, countBegan, sharded);
        });
    connect(&node, &NodeWatch::synchronizersRead, this, [this, &node](const SynchronizerReading& reading) {
        m_movedSynchronizers.follow(node.shard(), m_synchronizers.value(node.shard()), reading);
        m_synchronizers[node.shard()] = reading;
        showSynchronizers();
    });
    connect(&node.observer(), &Observer::cameBackEmpty, this, [this, &node] {
        feed(DatabaseEmptied{node.shard(), m_clock.wallNow()});
        scheduleBatch();
    });
    connect(&node, &NodeWatch::replicasCounted, this, [this, &node](const Replicas& replicas) {
        feed(ReplicasCounted{node.shard(), replicas, m_clock.wallNow()});
        scheduleReads();
        scheduleBatch();
    });
    connect(&node, &NodeWatch::swept, this, [this, &node] {
        if (!node.outage())
            feed(ShardSwept{node.shard()});
        m_nodes.noteSwept(node.shard());
        endSweepIfWhole();
    });
}

// ---- what the nodes have found, together ----

void Monitor::onWaitersCounted(const NodeWatch& node, const WaiterTotals::Waiting& plain, SteadyTime countBegan,
                               const WaiterTotals::Waiting& sharded) {
    feed(CommandRateRead{node.shard(), node.info().commandsPerSecond()});
    m_nodes.findAtReplicas(m_store.unheardWaiters(), [this](const LockName& lock, const HolderId& waiter) {
        return m_store.isQueued(lock, waiter);
    });
    if (m_shards.isCluster()) {
        m_waiters.set(node.shard(), plain, sharded, countBegan);
        return showWaiters();
    }
    feedWaiters({}, plain, countBegan);
    endCount();
}

// Waits for the counts of all nodes that can be subscribed to: without one of them, the total is not complete.
void Monitor::showWaiters() {
    const bool isWhole = std::ranges::all_of(m_nodes.all(), [this](const auto& node) {
        return node->phase() == NodePhase::Reconnecting || m_waiters.hasCounted(node->shard());
    });
    if (!isWhole)
        return;
    for (auto [keeper, waiting] : m_waiters.byKeeper().asKeyValueRange()) {
        feedWaiters(keeper, waiting, m_waiters.countBegan());
        if (NodeWatch* node = m_nodes.of(keeper))
            node->noteWaitedFor(WaiterTotals::waitedFor(waiting));
    }
    endCount();
}

void Monitor::feedWaiters(topology::ShardId keeper, WaiterTotals::Waiting waiting, SteadyTime countBegan) {
    m_nodes.addFoundAtReplicas(waiting, keeper);
    feed(WaitersCounted{keeper, waiting, countBegan, m_clock.wallNow(), m_nodes.coverage(m_waiters)});
}

void Monitor::endCount() {
    m_nodes.askReplicas(!m_store.unheardWaiters().isEmpty(), m_replicaRoute);
    scheduleReads();
    scheduleBatch();
}

void Monitor::endSweepIfWhole() {
    const std::optional<quint64> keys = m_nodes.takeWholeSweep();
    if (!keys)
        return;
    feed(SweepEnded{*keys, m_clock.wallNow()});
    // Sent with the event, because the figures name the nodes that the sweep has left out.
    if (m_shards.isCluster())
        m_newStats = m_sentStats = stats();
    scheduleBatch();
}

void Monitor::showSynchronizers() {
    if (m_synchronizers.isEmpty())
        return;
    m_newSynchronizers = m_movedSynchronizers.addedTo(together(m_synchronizers.values()));
    scheduleBatch();
}

// ---- connections ----

void Monitor::startOver(const Error& why) {
    for (const auto& node : m_nodes.all())
        node->interrupt(why);
    if (m_status.phase == MonitorPhase::Stopped)  // a receiver of the status has stopped the monitor
        return;
    for (const auto& node : m_nodes.all())
        node->open();
}

void Monitor::onNodeState(const NodeWatch& changed) {
    if (changed.phase() == NodePhase::Reconnecting)
        m_waiters.forget(changed.shard());
    if (changed.phase() == NodePhase::Reconnecting || changed.outage())
        endSweepIfWhole();
    refreshStatus(changed.error());
}

void Monitor::refreshStatus(const std::optional<Error>& error) {
    scheduleStats();
    setStatus(statusOf(m_nodes, m_status, error));
    if (m_status.phase == MonitorPhase::Failed)
        m_nodes.stop();
}

void Monitor::onShardsFailed(const Error& error) {
    if (m_status.phase != MonitorPhase::Connecting || !m_nodes.all().empty())
        return;
    MonitorStatus status;
    status.phase = MonitorPhase::Failed;
    status.error = error;
    setStatus(status);
}

void Monitor::setStatus(MonitorStatus status) {
    if (m_status == status)
        return;
    m_status = std::move(status);
    Q_EMIT statusChanged(m_status);
}

// ---- reads ----

LockStore::Fed Monitor::feed(StoreInput input) {
    if (m_tap)
        m_tap(input);
    return m_store.feed(std::move(input));
}

void Monitor::noteDump(const SharedDump& dump) {
    feed(DumpKnown{dump, m_clock.wallNow()});
    if (m_store.hasChanges())
        scheduleBatch();
    scheduleReads();
}

void Monitor::recall(RememberedHolds holds) {
    m_store.recall(std::move(holds));
    if (m_store.hasChanges())
        scheduleBatch();
}

PresentInputs Monitor::tapInputs(InputTap tap) {
    m_tap = std::move(tap);
    if (m_status.phase != MonitorPhase::Stopped && !m_nodes.all().empty()) {
        m_newStats = m_sentStats = stats();
        showSynchronizers();
        scheduleBatch();
    }
    return m_store.presentInputs();
}

Stored Monitor::learn(NodeWatch& node, const LockSnapshot& lock, const BetweenReads& between) {
    LockSnapshot ofNode = lock;
    ofNode.node = node.node();
    const Stored kept = feed(LockRead{std::move(ofNode), between}).stored;
    if (kept == Stored::NoRoom)
        node.noteNoRoom();
    scheduleBatch();
    scheduleReads();
    scheduleCooling();
    scheduleForget();
    return kept;
}

// ---- diagnoses that depend on time: they are decided by one more read ----

void Monitor::scheduleReads() {
    if (const std::optional<SteadyTime> next = m_store.nextRead())
        m_readTimer.startBy(*next);
}

// Without a connection nothing is read. After a reconnect every lock is read, and its history starts again.
void Monitor::readDue() {
    for (const LockName& name : m_store.takeDueReads(m_clock.now()))
        m_nodes.readAgain(name);
    scheduleReads();
}

// ---- batches ----

void Monitor::scheduleBatch() {
    scheduleStats();
    const SteadyTime now = m_clock.now();
    const SteadyTime due = m_lastBatch == SteadyTime::min() ? now : m_lastBatch + m_options.batchInterval;
    // A timer, even for now, would cost a turn of the event loop.
    if (due > now || !LoopTurn::atEnd(this, [this] { sendBatch(); }))
        m_batchTimer.startBy(std::max(now, due));
}

void Monitor::sendBatch() {
    if (!m_store.hasChanges() && !m_newStats && !m_newSynchronizers)
        return;
    m_lastBatch = m_clock.now();
    MonitorBatch batch = m_store.take();
    batch.at = m_clock.wallNow();
    batch.stats = std::exchange(m_newStats, std::nullopt);
    batch.synchronizers = std::exchange(m_newSynchronizers, std::nullopt);
    Q_EMIT batchReady(std::make_shared<const MonitorBatch>(std::move(batch)));
}

// Runs only while a lock is busy, whose throughput must be removed in time.
void Monitor::scheduleCooling() {
    if (const std::optional<SteadyTime> next = m_store.nextCooling())
        m_coolingTimer.startBy(*next);
}

void Monitor::coolDown() {
    feed(BusyTimePassed{m_clock.now()});
    if (m_store.hasChanges())
        scheduleBatch();
    scheduleCooling();
}

void Monitor::scheduleForget() {
    if (const std::optional<SteadyTime> next = m_store.nextForget())
        m_forgetTimer.startBy(*next);
}

void Monitor::forgetFree() {
    bool areManyGone = m_knownLocks.note(m_store.known());
    for (const LockName& name : feed(FreeTimePassed{m_clock.now()}).forgotten)
        m_nodes.forget(name);
    areManyGone = m_knownLocks.note(m_store.known()) || areManyGone;
    if (areManyGone)
        m_memoryTimer.start(1s);  // receivers of the rows free them with the next batch
    if (m_store.hasChanges())
        scheduleBatch();
    scheduleForget();
}

// ---- figures ----

void Monitor::scheduleStats() {
    constexpr Milliseconds statsInterval = 500ms;
    if (m_status.phase == MonitorPhase::Stopped)
        return;
    const SteadyTime now = m_clock.now();
    m_statsTimer.startBy(m_lastStats == SteadyTime::min() ? now : std::max(now, m_lastStats + statsInterval));
}

void Monitor::refreshStats() {
    m_lastStats = m_clock.now();
    const MonitorStats now = stats();
    if (now.readsPerSecond > 0)
        scheduleStats();  // no other event reports that the rate falls
    if (now == m_sentStats)
        return;
    m_sentStats = now;
    m_newStats = now;
    scheduleBatch();
}

MonitorStats Monitor::stats() const {
    MonitorStats stats = m_nodes.stats();
    m_store.addTo(stats);
    stats.unservedSlots = m_shards.unservedSlots();
    return stats;
}

}  // namespace lockkeeper::monitor

#include "moc_monitor.cpp"
