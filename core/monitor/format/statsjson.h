// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// The lines of `watch` that are about no lock, without line ends: the active source and what it does not see, and the
// progress of the first sweep. Each as JSON and as text.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray sourceToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString sourceToTextLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray progressToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString progressToTextLine(const MonitorStats& stats, WallTime at);

// A diagnosis of the whole server: the number of leftover tokens of fenced locks is above the limit, or not any more.
// litter: at the end its last state.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray litterToJsonLine(const TokenLitter& litter, DiagnosisPhase phase,
                                                            WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString litterToTextLine(const TokenLitter& litter, DiagnosisPhase phase, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasLitter(const MonitorStats& stats);

// A diagnosis of one node; at the end its last state.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray stormToJsonLine(const ScriptStorm& storm, DiagnosisPhase phase,
                                                                   WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString stormToTextLine(const ScriptStorm& storm, DiagnosisPhase phase,
                                                                WallTime at);
struct StormChange {
    ScriptStorm storm;
    DiagnosisPhase phase = DiagnosisPhase::Begun;
};
// The storms that have ended, and those that have begun. One that goes on is no change.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<StormChange> changedStorms(const QList<ScriptStorm>& before,
                                                                         const QList<ScriptStorm>& now);

// Of one node of a Cluster: since when, and why, it is not watched, or that it is.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray nodeToJsonLine(const NodeStatus& node, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString nodeToTextLine(const NodeStatus& node, WallTime at);
// Of a Cluster: which slots no node serves, and which names are not read because their slots are moving; of the names at
// most a hundred.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray gapsToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString gapsToTextLine(const MonitorStats& stats, WallTime at);
// True if both would print the same line about them.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasSameGaps(const MonitorStats& one, const MonitorStats& other);
// A node that is no master of the Cluster any more; node: as it was last.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray goneNodeToJsonLine(const NodeStatus& node, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString goneNodeToTextLine(const NodeStatus& node, WallTime at);
// The nodes that only `before` has, by their addresses; those that nobody was connected to are left out.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<NodeStatus> goneNodes(const QList<NodeStatus>& before,
                                                                    const QList<NodeStatus>& now);
// The nodes of `now` whose line would be another one than before; also those that are new.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<NodeStatus> changedNodes(const QList<NodeStatus>& before,
                                                                       const QList<NodeStatus>& now);

// True if both would print the same source line.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameSource(const MonitorStats& one, const MonitorStats& other);

}  // namespace lockkeeper::monitor
