// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/waitertotals.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

void addFairWaiters(Listeners& to, const Listeners& from) {
    for (const HolderId& waiter : from.fairWaiters) {
        if (!to.fairWaiters.contains(waiter))
            to.fairWaiters.append(waiter);
    }
}

}  // namespace

void WaiterTotals::set(topology::ShardId node, Waiting plain, Waiting sharded, SteadyTime countBegan) {
    m_counts.insert(node, {std::move(plain), std::move(sharded), countBegan});
}

QHash<topology::ShardId, WaiterTotals::Waiting> WaiterTotals::byKeeper() const {
    QHash<topology::ShardId, Waiting> lists;
    for (const topology::ShardId node : m_counts.keys())
        lists.insert(node, {});
    for (const Count& count : m_counts) {
        for (auto [name, plain] : count.plain.asKeyValueRange()) {
            const std::optional<topology::ShardId> keeper = m_shards.shardOfKey(name.bytes());
            if (!keeper || !m_counts.contains(*keeper))
                continue;
            Listeners& all = lists[*keeper][name];
            all.clients += plain.clients;
            addFairWaiters(all, plain);
        }
    }
    for (auto [node, count] : m_counts.asKeyValueRange()) {
        for (auto [name, sharded] : count.sharded.asKeyValueRange()) {
            Listeners& all = lists[node][name];
            all.monitors = std::clamp(sharded.clients - all.clients, 0, sharded.monitors);
            all.clients = std::max(all.clients, sharded.clients);
            all.sharded = sharded.monitors > 0 ? std::nullopt : std::optional(sharded.clients);
            addFairWaiters(all, sharded);
        }
    }
    return lists;
}

SteadyTime WaiterTotals::countBegan() const {
    SteadyTime first = SteadyTime::max();
    for (const Count& count : m_counts)
        first = std::min(first, count.began);
    return first;
}

QSet<LockName> WaiterTotals::waitedFor(const Waiting& waiting) {
    QSet<LockName> names;
    for (auto [name, listeners] : waiting.asKeyValueRange()) {
        if (listeners.certain() > 0)
            names.insert(name);
    }
    return names;
}

}  // namespace lockkeeper::monitor
