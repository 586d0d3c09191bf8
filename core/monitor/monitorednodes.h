// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"
#include "monitor/nodewatch.h"

#include <QSet>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// The nodes of a Monitor, one for each shard, and which of them watches which lock. Thread: that of the nodes.
class MonitoredNodes : public QObject {
public:
    explicit MonitoredNodes(topology::Shards& shards) : m_shards(shards) {}

    NodeWatch& add(std::unique_ptr<NodeWatch> node);
    // Ends the nodes of all other shards, and returns these shards. The locks that they watched go to the remaining
    // nodes.
    [[nodiscard]] QList<topology::ShardId> endAllBut(const QList<topology::ShardId>& shards);
    // Gives each lock to the node that has its slot now. A lock whose slot no node serves stays, because the slot may
    // come back.
    void moveLocks();
    void readAgain(const LockName& name);
    void forget(const LockName& name);
    void stop();
    // Searches the last answers of the replicas for these waiters, which no master knows, and for waiters found there
    // before that are still queued.
    using IsQueued = std::function<bool(const LockName& lock, const HolderId& waiter)>;
    void findAtReplicas(const QHash<HolderId, LockName>& unheard, const IsQueued& isQueued);
    // From the next count on, asks the replicas while some waiters are unheard or were found there. route: null if
    // there is no way to the replicas.
    void askReplicas(bool areUnheard, const topology::ReplicaRoute* route);
    // Adds the waiters found at replicas to the waiters of this shard's locks.
    void addFoundAtReplicas(WaiterTotals::Waiting& waiting, topology::ShardId keeper) const;
    // Which servers the last counts of all nodes have asked. counted: only used in a Cluster.
    [[nodiscard]] Coverage coverage(const WaiterTotals& counted) const;

    // The sweep of this shard has ended. The sweeps of the shards end one by one; together they are one sweep.
    void noteSwept(topology::ShardId shard) { m_swept.insert(shard); }
    // When the sweeps of all nodes have ended: returns the number of keys in them, and the next sweep begins. Nothing
    // before. A node that cannot be swept does not delay the others.
    [[nodiscard]] std::optional<quint64> takeWholeSweep();
    // The figures of all nodes together.
    [[nodiscard]] MonitorStats stats() const;

    // The node; null if there is none.
    [[nodiscard]] NodeWatch* of(topology::ShardId shard) const;
    [[nodiscard]] NodeWatch* of(const LockName& name) const;
    // The first node in this phase; null if there is none.
    [[nodiscard]] const NodeWatch* firstIn(NodePhase phase) const;
    [[nodiscard]] const std::vector<std::unique_ptr<NodeWatch>>& all() const noexcept { return m_nodes; }

private:
    void handOver(NodeWatch& from, const LockName& name);

    topology::Shards& m_shards;
    std::vector<std::unique_ptr<NodeWatch>> m_nodes;
    QSet<topology::ShardId> m_swept;                  // since all of them were swept last
    std::vector<std::unique_ptr<NodeWatch>> m_ended;  // kept until no call of these nodes is in progress
    QHash<HolderId, LockName> m_atReplicas;           // waiters that were subscribed at a replica, with their lock
    NameMap<WatchedLock> m_homeless;  // known locks whose shard is gone, while no other shard has their slot
};

}  // namespace lockkeeper::monitor
