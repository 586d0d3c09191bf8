#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// A line of `watch` about a semaphore or a latch, without the line's end: as JSON in the format that README.md, "For
// scripts", promises, and for a reader at a terminal.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const SynchronizerChange& change, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString toTextLine(const SynchronizerChange& change, WallTime at);

}  // namespace lockkeeper::monitor
