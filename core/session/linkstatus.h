// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/record.h"
#include "session/connectionstatus.h"

namespace lockkeeper {

// What a recording keeps of a connection's status.
[[nodiscard]] recording::LinkStatus linkStatusOf(const ConnectionStatus& status);
// What a replay shows of a recorded status: read-only, and marked as a recording.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ConnectionStatus replayedStatus(const recording::LinkStatus& link);

}  // namespace lockkeeper
