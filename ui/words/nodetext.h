// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"

#include <QString>

namespace lockkeeper::ui {

[[nodiscard]] QString addressText(const monitor::NodeStatus& node);
// "Watching"; of a node that is not watched also since when, and why.
[[nodiscard]] QString nodeStateText(const monitor::NodeStatus& node, WallTime now);
// "12 of 250": of the last second, and the limit.
[[nodiscard]] QString readsText(const monitor::NodeStatus& node);
// In bytes, of the replica that is the furthest behind; nothing without one.
[[nodiscard]] std::optional<qint64> greatestLag(const monitor::NodeStatus& node);
// "2, 14 bytes": the replicas that are connected, and the greatest lag. Empty if not known.
[[nodiscard]] QString replicasText(const monitor::NodeStatus& node);
[[nodiscard]] QString lagText(const redis::Replica& replica);
// Each replica and its lag, a line each.
[[nodiscard]] QString replicasToolTip(const monitor::NodeStatus& node);
[[nodiscard]] bool isLost(const monitor::NodeStatus& node);
[[nodiscard]] bool hasLostNode(const QList<monitor::NodeStatus>& nodes);

// "3 nodes", or "2 of 3 nodes" if only two are watched. Empty without a Cluster.
[[nodiscard]] QString nodesText(const QList<monitor::NodeStatus>& nodes);
// Each node and its state, a line each.
[[nodiscard]] QString nodesToolTip(const QList<monitor::NodeStatus>& nodes);

// Which nodes are not watched, and what that means for their locks. Empty if all are.
[[nodiscard]] QString lostNodesText(const QList<monitor::NodeStatus>& nodes, WallTime now);
// Which servers are connected and do not answer now. Empty if all answer.
[[nodiscard]] QString silencesText(const monitor::MonitorStats& stats);
// Which slots no node serves, and what that means for their locks. Empty if all are served.
[[nodiscard]] QString unservedSlotsText(const monitor::MonitorStats& stats);
// lostNodesText() for each of them, a line each.
[[nodiscard]] QString lostNodesToolTip(const QList<monitor::NodeStatus>& nodes, WallTime now);

}  // namespace lockkeeper::ui
