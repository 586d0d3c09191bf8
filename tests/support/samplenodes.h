// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/samplelocks.h"

namespace lockkeeper::test {

// A node of a Cluster of servers on redis.example.com, which differ by their port.
inline monitor::NodeStatus watchedNode(quint32 port) {
    monitor::NodeStatus node;
    node.shard = topology::ShardId(port);
    node.address = QStringLiteral("redis.example.com:%1").arg(port);
    node.phase = monitor::NodePhase::Watching;
    node.knownLocks = 2;
    node.readsPerSecond = 11.6;
    node.readBudgetPerSecond = 250;
    node.serverVersion = QByteArrayLiteral("7.0.15");
    node.replicas = QList<redis::Replica>{{QStringLiteral("redis.example.com:%1").arg(port + 100), 14},
                                          {QStringLiteral("redis.example.com:%1").arg(port + 200), 2048}};
    return node;
}

// lastHeard: nothing if the node was never watched.
inline monitor::NodeStatus lostNode(quint32 port, WallTime lastHeard = WallTime()) {
    monitor::NodeStatus node = watchedNode(port);
    node.phase = monitor::NodePhase::Reconnecting;
    node.error = Error(ErrorCode::ConnectionLost, Cause::ClosedByServer);
    node.lastHeard = lastHeard;
    node.replicas.reset();
    return node;
}

inline monitor::LockRow onNode(monitor::LockRow row, const monitor::NodeStatus& node) {
    row.lock.node = monitor::NodePointer(new monitor::Node(node.shard, node.address));
    return row;
}

inline monitor::MonitorBatch batchOf(const QList<monitor::NodeStatus>& nodes) {
    monitor::MonitorBatch batch;
    batch.stats = monitor::MonitorStats();
    batch.stats->nodes = nodes;
    return batch;
}

}  // namespace lockkeeper::test
