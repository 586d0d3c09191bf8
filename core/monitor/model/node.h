// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "redis/publishing.h"
#include "redis/serverrole.h"
#include "topology/shardid.h"

#include <QExplicitlySharedDataPointer>
#include <QSharedData>

#include <optional>

namespace lockkeeper::monitor {

// The master that a lock of a Cluster was read from. Never changed, and shared by all that was read from it.
struct Node : QSharedData {
    Node(topology::ShardId ofShard, QString masterAddress, redis::Publishing there = redis::Publishing::Plain)
        : shard(ofShard), address(std::move(masterAddress)), publishing(there) {}

    topology::ShardId shard;
    QString address;  // "host:port"
    redis::Publishing publishing;  // to which channels scripts publish there; not known of a recorded one
};
// Null without a Cluster.
using NodePointer = QExplicitlySharedDataPointer<const Node>;

enum class NodePhase {
    Connecting,  // first attempt in progress
    Watching,
    Reconnecting,  // lost, or not reached yet; retries by itself
    NotServing     // reached, but it refuses to read keys: the Cluster is down, or the node is cut off from it
};

[[nodiscard]] constexpr bool isLost(NodePhase phase) {
    return phase == NodePhase::Reconnecting || phase == NodePhase::NotServing;
}

// How one master is watched.
struct NodeStatus {
    topology::ShardId shard{};
    QString address;  // "host:port" of its master; empty if not known
    NodePhase phase = NodePhase::Connecting;
    std::optional<Error> error;  // why it is not watched
    WallTime lastHeard{};        // not watched: the time of the shown state, if it was watched before
    int knownLocks = 0;
    double readsPerSecond = 0;
    int readBudgetPerSecond = 0;
    QByteArray serverVersion;  // empty if not known
    std::optional<QList<redis::Replica>> replicas;  // of the master, at most ten seconds old; nothing if not known

    friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};

}  // namespace lockkeeper::monitor
