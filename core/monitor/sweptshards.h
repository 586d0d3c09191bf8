// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/shardid.h"

#include <QSet>

#include <optional>

namespace lockkeeper::monitor {

class NodeWatches;

// Which shards of a deployment were swept since the last time that all were: their sweeps end one by one, and together
// they are one sweep of the deployment. Thread: the monitor's.
class SweptShards {
public:
    // nodes: outlive it.
    explicit SweptShards(const NodeWatches& nodes) : m_nodes(nodes) {}

    void add(topology::ShardId shard) { m_swept.insert(shard); }
    void forget(topology::ShardId shard) { m_swept.remove(shard); }
    // Once all have ended: the keys in them, and the next sweep begins. Nothing before.
    [[nodiscard]] std::optional<quint64> takeWhole();

private:
    const NodeWatches& m_nodes;
    QSet<topology::ShardId> m_swept;
};

}  // namespace lockkeeper::monitor
