// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::monitor {

// The monitor's own reasons. In brackets: what Error::arguments holds. A new one also needs a number for recordings:
// see core/recording/enumnumbers.h.
enum class MonitorCause {
    MonitorUnderWay,
    RightsRestored  // the server allows again what it has refused, so that everything is tried again
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(MonitorCause);

}  // namespace lockkeeper::monitor
