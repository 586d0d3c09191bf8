// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitorednodes.h"

#include <algorithm>

namespace lockkeeper::monitor {

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
