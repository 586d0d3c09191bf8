// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// Lines of `watch` that are not about a lock, each as JSON and as text, without line ends. First the active source with
// what it cannot see, and the progress of the first sweep.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray sourceToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString sourceToTextLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray progressToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString progressToTextLine(const MonitorStats& stats, WallTime at);

// A diagnosis of the whole server: the number of leftover tokens of fenced locks is above the limit, or no longer above
// it. litter: for the end of the diagnosis, its last state.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray litterToJsonLine(const TokenLitter& litter, DiagnosisPhase phase,
                                                                    WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString litterToTextLine(const TokenLitter& litter, DiagnosisPhase phase,
                                                                 WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasLitter(const MonitorStats& stats);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray leaseLitterToJsonLine(const LeaseLitter& litter,
                                                                         DiagnosisPhase phase, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString leaseLitterToTextLine(const LeaseLitter& litter, DiagnosisPhase phase,
                                                                      WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasLeaseLitter(const MonitorStats& stats);

// A diagnosis of one node. storm: for the end of the diagnosis, its last state.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray stormToJsonLine(const ScriptStorm& storm, DiagnosisPhase phase,
                                                                   WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString stormToTextLine(const ScriptStorm& storm, DiagnosisPhase phase,
                                                                WallTime at);
struct StormChange {
    ScriptStorm storm;
    DiagnosisPhase phase = DiagnosisPhase::Begun;
};
// The storms that have ended, and the storms that have begun. A storm that continues is not a change.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<StormChange> changedStorms(const QList<ScriptStorm>& before,
                                                                         const QList<ScriptStorm>& now);

// The state of one node of a Cluster: since when and why it is not watched, or that it is watched.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray nodeToJsonLine(const NodeStatus& node, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString nodeToTextLine(const NodeStatus& node, WallTime at);
// The gaps of a Cluster: the slots that no node serves, and at most a hundred of the names that are not read because
// their slots are moving.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray gapsToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString gapsToTextLine(const MonitorStats& stats, WallTime at);
// Whether both would print the same line of gaps.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasSameGaps(const MonitorStats& one, const MonitorStats& other);
// A node that is not a master of the Cluster any more. node: its last state.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray goneNodeToJsonLine(const NodeStatus& node, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString goneNodeToTextLine(const NodeStatus& node, WallTime at);
// The nodes that only `before` has, compared by address. Nodes that were never connected are left out.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<NodeStatus> goneNodes(const QList<NodeStatus>& before,
                                                                    const QList<NodeStatus>& now);
// The nodes of `now` whose line differs from the one before, including new nodes.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<NodeStatus> changedNodes(const QList<NodeStatus>& before,
                                                                       const QList<NodeStatus>& now);

// A server that is connected and does not answer, or that answers again. Nothing counts as lost because of it.
struct SilenceChange {
    NodeStatus node;  // Ended: its state before
    DiagnosisPhase phase = DiagnosisPhase::Begun;
};
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray silenceToJsonLine(const SilenceChange& change, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString silenceToTextLine(const SilenceChange& change, WallTime at);
// The silences that have begun, and those that have ended with an answer. A connection that is lost ends none.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<SilenceChange> changedSilences(const MonitorStats& before,
                                                                             const MonitorStats& now);

// Whether both would print the same source line.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameSource(const MonitorStats& one, const MonitorStats& other);

}  // namespace lockkeeper::monitor
