#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// The lines of `watch` that are about no lock, without line ends: which source is active and what it does not see, and
// how far the first sweep has come. Each as JSON and as text.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray sourceToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString sourceToTextLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray progressToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString progressToTextLine(const MonitorStats& stats, WallTime at);

// A diagnosis of the whole server: that left-over tokens of fenced locks have come to a number, or no longer. litter:
// at the end as it was last.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray litterToJsonLine(const TokenLitter& litter, DiagnosisPhase phase,
                                                            WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString litterToTextLine(const TokenLitter& litter, DiagnosisPhase phase, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasLitter(const MonitorStats& stats);

// Whether both would make the same line of their source.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameSource(const MonitorStats& one, const MonitorStats& other);

}  // namespace lockkeeper::monitor
