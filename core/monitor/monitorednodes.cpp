// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitorednodes.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool cannotBeSwept(const NodeWatch& node) {
    return node.phase() == NodePhase::Reconnecting || node.outage() ||
           node.discovery().state() == DiscoveryState::Refused;
}

// The modes are numbered from the best one; None is no mode.
bool isWorse(ObservationMode one, ObservationMode other) {
    return one != ObservationMode::None && one > other;
}

void addObservation(MonitorStats& stats, const Observer& observer) {
    const bool isFirst = stats.observation == ObservationMode::None;
    if (isFirst || isWorse(observer.mode(), stats.observation)) {
        stats.observation = observer.mode();
        stats.observationLimit = observer.limit();
    }
    if (observer.mode() == ObservationMode::None)
        return;
    stats.noticesFairQueues = observer.noticesFairQueues() && (isFirst || stats.noticesFairQueues);
}

void addWriteReports(MonitorStats& stats, const NodeWatch& node) {
    if (node.phase() == NodePhase::Watching)
        stats.writeReports = std::max(stats.writeReports, node.writeReports());
}

void addLeaseLitter(MonitorStats& stats, const Discovery& discovery) {
    const std::optional<LeaseLitter>& litter = discovery.leaseLitter();
    if (!litter)
        return;
    LeaseLitter& all = stats.leaseLitter ? *stats.leaseLitter : stats.leaseLitter.emplace();
    all.found += litter->found;
    all.checked += litter->checked;
    all.leftOver += litter->leftOver;
    all.at = std::max(all.at, litter->at);
}

void addDiscovery(MonitorStats& stats, const Discovery& discovery) {
    // Refused is the worst, and Paused is the same for all.
    stats.discovery = std::max(stats.discovery, discovery.state());
    stats.keysThisSweep += discovery.keysThisSweep();
    stats.databaseSize += discovery.databaseSize();
    addLeaseLitter(stats, discovery);
    const std::optional<TokenLitter>& litter = discovery.tokenLitter();
    if (!litter)
        return;
    TokenLitter& all = stats.tokenLitter ? *stats.tokenLitter : stats.tokenLitter.emplace();
    all.sampledKeys += litter->sampledKeys;
    all.found += litter->found;
    all.estimate += litter->estimate;
    all.checked += litter->checked;
    all.leftOver += litter->leftOver;
    all.at = std::max(all.at, litter->at);
}

// A denial on all nodes is added once, without the name of a node.
void addDenials(MonitorStats& stats, const std::vector<std::unique_ptr<NodeWatch>>& nodes) {
    for (const auto& node : nodes) {
        for (Denial denial : node->denied()) {
            const bool isEverywhere =
                std::ranges::all_of(nodes, [&denial](const auto& other) { return other->denied().contains(denial); });
            if (denial.node.isEmpty())  // a denial of a replica has its address already
                denial.node = isEverywhere || !node->isInCluster() ? QString() : node->status().address;
            if (!stats.denied.contains(denial))
                stats.denied += denial;
        }
    }
}

}  // namespace

NodeWatch& MonitoredNodes::add(std::unique_ptr<NodeWatch> node) {
    return *m_nodes.emplace_back(std::move(node));
}

QList<topology::ShardId> MonitoredNodes::endAllBut(const QList<topology::ShardId>& shards) {
    QList<topology::ShardId> gone;
    const auto firstEnded = std::stable_partition(
        m_nodes.begin(), m_nodes.end(), [&shards](const auto& node) { return shards.contains(node->shard()); });
    for (auto node = firstEnded; node != m_nodes.end(); ++node) {
        for (const LockName& name : (*node)->observer().watchedNames())
            handOver(**node, name);
        (*node)->disconnect();
        (*node)->stop();
        m_swept.remove((*node)->shard());
        gone.append((*node)->shard());
    }
    std::move(firstEnded, m_nodes.end(), std::back_inserter(m_ended));
    m_nodes.erase(firstEnded, m_nodes.end());
    if (!gone.isEmpty())
        QMetaObject::invokeMethod(
            this, [this] { m_ended.clear(); }, Qt::QueuedConnection);
    return gone;
}

void MonitoredNodes::moveLocks() {
    for (const auto& node : m_nodes) {
        for (const LockName& name : node->observer().watchedNames()) {
            if (!node->keeps(name) && of(name))
                handOver(*node, name);
        }
    }
    for (const LockName& name : m_homeless.names()) {
        NodeWatch* owner = of(name);
        if (!owner)
            continue;
        owner->observer().takeOver(name, std::move(*m_homeless.find(name)));
        m_homeless.remove(name);
    }
}

void MonitoredNodes::handOver(NodeWatch& from, const LockName& name) {
    std::optional<WatchedLock> watched = from.observer().handOver(name);
    if (!watched)
        return;
    NodeWatch* owner = of(name);
    if (owner && owner != &from)
        owner->observer().takeOver(name, std::move(*watched));
    else
        m_homeless[name] = std::move(*watched);
}

void MonitoredNodes::readAgain(const LockName& name) {
    for (const auto& node : m_nodes)
        node->observer().readAgain(name);
}

void MonitoredNodes::forget(const LockName& name) {
    m_homeless.remove(name);
    for (const auto& node : m_nodes)
        node->observer().forget(name);
}

void MonitoredNodes::stop() {
    for (const auto& node : m_nodes)
        node->stop();
}

// A client may be subscribed on any master, and an old client at a replica.
Coverage MonitoredNodes::coverage(const WaiterTotals& counted) const {
    const bool isWhole = std::ranges::all_of(m_nodes, [&](const auto& node) {
        return (!m_shards.isCluster() || counted.hasCounted(node->shard())) && node->hasAskedEveryServer();
    });
    return isWhole ? Coverage::AllServers : Coverage::SomeServers;
}

void MonitoredNodes::findAtReplicas(const QHash<HolderId, LockName>& unheard, const IsQueued& isQueued) {
    m_atReplicas.removeIf([&isQueued](const auto& waiter) { return !isQueued(waiter.value(), waiter.key()); });
    m_atReplicas.insert(unheard);
    m_atReplicas.removeIf([this](const auto& waiter) {
        return std::ranges::none_of(
            m_nodes, [&](const auto& node) { return node->listeningAtReplicas().contains(waiter.key()); });
    });
}

void MonitoredNodes::askReplicas(bool areUnheard, const topology::ReplicaRoute* route) {
    const bool areWanted = areUnheard || !m_atReplicas.isEmpty();
    for (const auto& node : m_nodes)
        node->askReplicas(areWanted ? route : nullptr);
}

void MonitoredNodes::addFoundAtReplicas(WaiterTotals::Waiting& waiting, topology::ShardId keeper) const {
    for (auto [waiter, name] : m_atReplicas.asKeyValueRange()) {
        if (m_shards.shardOfKey(name.bytes()) != keeper)
            continue;
        Listeners& listeners = waiting[name];
        ++listeners.clients;
        listeners.fairWaiters += waiter;
    }
}

std::optional<quint64> MonitoredNodes::takeWholeSweep() {
    const bool isWhole = std::ranges::all_of(
        m_nodes, [this](const auto& node) { return m_swept.contains(node->shard()) || cannotBeSwept(*node); });
    if (!isWhole || m_swept.isEmpty())
        return std::nullopt;
    quint64 keys = 0;
    for (const auto& node : m_nodes)
        keys += m_swept.contains(node->shard()) ? node->keysInLastSweep() : 0;
    m_swept.clear();
    return keys;
}

MonitorStats MonitoredNodes::stats() const {
    MonitorStats stats;
    stats.noticesNewNames = !m_nodes.empty();
    const bool isWatched =
        std::ranges::any_of(m_nodes, [](const auto& node) { return node->phase() == NodePhase::Watching; });
    stats.writeReports = isWatched ? WriteReports::On : WriteReports::NotYet;
    for (const auto& node : m_nodes) {
        addObservation(stats, node->observer());
        addDiscovery(stats, node->discovery());
        addWriteReports(stats, *node);
        stats.noticesNewNames = stats.noticesNewNames && node->discovery().noticesNewNames();
        stats.readsPerSecond += node->budget().usedPerSecond();
        stats.readBudgetPerSecond += node->budget().limitOfLastSecond();
        stats.keysInLastSweep += node->keysInLastSweep();
        if (const std::optional<ScriptStorm>& storm = node->info().storm())
            stats.scriptStorms += *storm;
        if (node->isInCluster())
            stats.nodes += node->status();
        else
            stats.master = node->status();
    }
    addDenials(stats, m_nodes);
    return stats;
}

NodeWatch* MonitoredNodes::of(topology::ShardId shard) const {
    const auto node = std::ranges::find_if(m_nodes, [shard](const auto& each) { return each->shard() == shard; });
    return node == m_nodes.end() ? nullptr : node->get();
}

NodeWatch* MonitoredNodes::of(const LockName& name) const {
    const std::optional<topology::ShardId> shard = m_shards.shardOfKey(name.bytes());
    return shard ? of(*shard) : nullptr;
}

const NodeWatch* MonitoredNodes::firstIn(NodePhase phase) const {
    const auto node = std::ranges::find_if(m_nodes, [phase](const auto& each) { return each->phase() == phase; });
    return node == m_nodes.end() ? nullptr : node->get();
}

}  // namespace lockkeeper::monitor
