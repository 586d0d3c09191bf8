// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/nodewatch.h"

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// The nodes of a Monitor, one for each shard, and which of them watches which lock. Thread: that of the nodes.
class NodeWatches : public QObject {
public:
    explicit NodeWatches(topology::Shards& shards) : m_shards(shards) {}

    NodeWatch& add(std::unique_ptr<NodeWatch> node);
    // Ends those of other shards than these, and answers their shards. What they watched goes to the others.
    [[nodiscard]] QList<topology::ShardId> endAllBut(const QList<topology::ShardId>& shards);
    // Each lock goes to the node that has its slot now. A lock whose slot nobody serves stays: the slot may come back.
    void moveLocks();
    void readAgain(const LockName& name);
    void forget(const LockName& name);
    void stop();
    // Finds at the replicas, as they have answered last: these waiters, which no master knows, and those found there before
    // that are still queued.
    using IsQueued = std::function<bool(const LockName& lock, const HolderId& waiter)>;
    void findAtReplicas(const QHash<HolderId, LockName>& unheard, const IsQueued& isQueued);
    // From the next count on, while some waiters are unheard or found there. route: null if there is no way to them.
    void askReplicas(bool areUnheard, const topology::ReplicaRoute* route);
    // Adds those that were found to the waiters of this shard's locks.
    void addFoundAtReplicas(WaiterTotals::Waiting& waiting, topology::ShardId keeper) const;
    // What the last counts of all nodes have asked; counted: of a Cluster.
    [[nodiscard]] Coverage coverage(const WaiterTotals& counted) const;

    // Null if there is none.
    [[nodiscard]] NodeWatch* of(topology::ShardId shard) const;
    [[nodiscard]] NodeWatch* of(const LockName& name) const;
    // Null if none is in this phase.
    [[nodiscard]] const NodeWatch* firstIn(NodePhase phase) const;
    [[nodiscard]] const std::vector<std::unique_ptr<NodeWatch>>& all() const noexcept { return m_nodes; }

private:
    void handOver(NodeWatch& from, const LockName& name);

    topology::Shards& m_shards;
    std::vector<std::unique_ptr<NodeWatch>> m_nodes;
    std::vector<std::unique_ptr<NodeWatch>> m_ended;  // until no call of theirs is in progress
    QHash<HolderId, LockName> m_atReplicas;  // waiters that were subscribed there, with their lock
    NameMap<WatchedLock> m_homeless;  // known locks whose shard is gone, and no other has their slot
};

}  // namespace lockkeeper::monitor
