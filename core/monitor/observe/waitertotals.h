// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/listeners.h"
#include "topology/shards.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::monitor {

// Adds up the waiters for the locks of a Cluster. A client may subscribe to a plain channel on any node, but to a
// sharded channel only on the node that keeps the lock. A client that subscribes to both counts once. Thread: one. The
// shards must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WaiterTotals {
public:
    using Waiting = QHash<LockName, Listeners>;

    explicit WaiterTotals(const topology::Shards& shards) : m_shards(shards) {}

    // What one node has counted, requested at countBegan.
    void set(topology::ShardId node, Waiting plain, Waiting sharded, SteadyTime countBegan);
    // The node is not watched any more, so its last count is out of date.
    void forget(topology::ShardId node) { m_counts.remove(node); }
    [[nodiscard]] bool hasCounted(topology::ShardId node) const { return m_counts.contains(node); }

    // For each node that has counted: the complete list of the waiters for the locks that the node keeps. Call it only
    // when all watched nodes have counted.
    [[nodiscard]] QHash<topology::ShardId, Waiting> byKeeper() const;
    // The beginning of the oldest count.
    [[nodiscard]] SteadyTime countBegan() const;

    // The locks with waiters, without those that only other monitors are subscribed for.
    [[nodiscard]] static QSet<LockName> waitedFor(const Waiting& waiting);

private:
    struct Count {
        Waiting plain;
        Waiting sharded;
        SteadyTime began{};
    };

    const topology::Shards& m_shards;
    QHash<topology::ShardId, Count> m_counts;
};

}  // namespace lockkeeper::monitor
