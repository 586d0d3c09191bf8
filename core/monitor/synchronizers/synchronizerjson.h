#pragma once

#include "monitor/synchronizers/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// A line of `watch` about a semaphore or a latch, without the line's end: as JSON in the format that
// resources/manual/json.md promises, and for a reader at a terminal.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toJsonLine(const SynchronizerChange& change, WallTime at);
[[nodiscard]] LOCKKEEPER_EXPORT QString toTextLine(const SynchronizerChange& change, WallTime at);

}  // namespace lockkeeper::monitor
