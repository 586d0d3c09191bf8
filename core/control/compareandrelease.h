#pragma once

#include "async/task.h"
#include "control/operations.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

namespace lockkeeper::control {

enum class BreakOutcome { Broken, AlreadyFree, Changed };

// Breaks a lock if, and only if, it still is what was confirmed: holders, counts, modes and token. One script, so nothing comes
// between look and act. Wakes the right waiters (protocol.md, "Release: force") and removes the readers' left-over keys.
// Errors: OutcomeUnknown (sent, not answered: look again, it is not sent twice), ConnectionLost, NotPermitted, ServerReply;
// InvalidArgument when the snapshot names no holder or is of a kind that is not taken apart (its fields are not known).
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<BreakOutcome>> compareAndRelease(redis::Connection* connection, monitor::LockSnapshot confirmed,
                                                                            Deadline deadline, std::stop_token stop = {});

}  // namespace lockkeeper::control
