// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// A line of `watch` about a semaphore or a latch, without a line end: as JSON, documented in resources/manual/json.md,
// and as text for a terminal.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const SynchronizerChange& change, WallTime at);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString toTextLine(const SynchronizerChange& change, WallTime at);

}  // namespace lockkeeper::monitor
