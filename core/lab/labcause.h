// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::lab {

// Why a private server, of the lab or of the demo, does not run. In brackets: what Error::arguments holds. A new one
// also needs a number for recordings: see core/recording/enumnumbers.h.
enum class LabCause {
    NoServerProgram,
    ServerNotStarted,  // [the system's reason]
    ServerEnded,       // [its last output]
    SocketPathTooLong  // [the folder that the sockets are in, the longest name in bytes that it may have]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(LabCause);

}  // namespace lockkeeper::lab
