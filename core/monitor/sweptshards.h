// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/shardid.h"

#include <QSet>

#include <optional>

namespace lockkeeper::monitor {

class MonitoredNodes;

// Which shards of a deployment were swept since all of them were swept last. The sweeps of the shards end one by one;
// together they are one sweep of the deployment. Thread: the monitor's.
class SweptShards {
public:
    // nodes: must outlive it.
    explicit SweptShards(const MonitoredNodes& nodes) : m_nodes(nodes) {}

    void add(topology::ShardId shard) { m_swept.insert(shard); }
    void forget(topology::ShardId shard) { m_swept.remove(shard); }
    // When the sweeps of all shards have ended: returns the number of keys in them, and the next sweep begins. Nothing
    // before.
    [[nodiscard]] std::optional<quint64> takeWhole();

private:
    const MonitoredNodes& m_nodes;
    QSet<topology::ShardId> m_swept;
};

}  // namespace lockkeeper::monitor
