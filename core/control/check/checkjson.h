// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/check/servercheck.h"

namespace lockkeeper::control {

// Stable lower-case words of the JSON: "no_wait", "failing", "refused".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(LockLimit what);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(LimitSeverity severity);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Availability availability);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(KnownBy way);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(ManagedService service);

// One line, without an end of line, as resources/manual/json.md documents it.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const NodeCheck& node);

}  // namespace lockkeeper::control
