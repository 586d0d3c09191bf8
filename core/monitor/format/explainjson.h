// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorstate.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// One line, without an end of line, as resources/manual/json.md documents it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const ErrorFinding& finding, const ErrorState& state);
// The last line: what was read.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const ErrorReport& report);

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(HoldEnd end);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(TextKind kind);

}  // namespace lockkeeper::monitor
