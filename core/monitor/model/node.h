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

// The master that a lock of a Cluster was read from. Never changed; everything that was read from it shares it.
struct Node : QSharedData {
    Node(topology::ShardId ofShard, QString masterAddress, redis::Publishing there = redis::Publishing::Plain)
        : shard(ofShard), address(std::move(masterAddress)), publishing(there) {}

    topology::ShardId shard;
    QString address;               // "host:port"
    redis::Publishing publishing;  // to which channels scripts publish there; not known for a node of a recording
};
// Null without a Cluster.
using NodePointer = QExplicitlySharedDataPointer<const Node>;

enum class NodePhase {
    Connecting,  // first attempt in progress
    Watching,
    Reconnecting,  // lost, or not reached yet; it is retried
    NotServing     // reached, but it refuses to read keys: the Cluster is down, or the node is cut off from it
};

[[nodiscard]] constexpr bool isLost(NodePhase phase) {
    return phase == NodePhase::Reconnecting || phase == NodePhase::NotServing;
}

// How one master is watched.
struct NodeStatus {
    topology::ShardId shard{};
    QString address;  // "host:port" of the shard's master; empty if not known
    NodePhase phase = NodePhase::Connecting;
    std::optional<Error> error;  // why it is not watched
    WallTime lastHeard{};        // if not watched: the time of the shown state, if there is one
    Milliseconds silence{0};     // while Watching: for how long it has not answered, in whole seconds; 0: it answers
    int knownLocks = 0;
    double readsPerSecond = 0;
    int readBudgetPerSecond = 0;
    QByteArray serverVersion;                       // empty if not known
    std::optional<QList<redis::Replica>> replicas;  // of the master, at most ten seconds old; nothing if not known

    friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};

}  // namespace lockkeeper::monitor
