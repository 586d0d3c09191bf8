#pragma once

#include "monitor/monitorbatch.h"

namespace lockkeeper::monitor {

// The lines of `watch` that are about no lock, without line ends: which source is active and what it does not see, and
// how far the first sweep has come. Each as JSON and as text.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray sourceToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_EXPORT QString sourceToTextLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray progressToJsonLine(const MonitorStats& stats, WallTime at);
[[nodiscard]] LOCKKEEPER_EXPORT QString progressToTextLine(const MonitorStats& stats, WallTime at);

// Whether both would make the same line.
[[nodiscard]] LOCKKEEPER_EXPORT bool isSameSource(const MonitorStats& one, const MonitorStats& other);

}  // namespace lockkeeper::monitor
