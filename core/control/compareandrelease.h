// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/operations.h"
#include "lockkeeper_monitor_export.h"
#include "topology/shardconnections.h"

namespace lockkeeper::control {

enum class BreakOutcome { Broken, AlreadyFree, Changed };

// Breaks a lock only if it is still in the confirmed state: holders, counts, modes and token. Comparing and releasing
// is one script, so no change can come in between. It wakes the right waiters (core/locks/protocol.md, "Release:
// force") and deletes the readers' leftover keys. Errors: OutcomeUnknown (sent, not answered: read the lock again; the
// command is not repeated), NotAnnounced (broken, but the waiters were not woken), ConnectionLost, NotPermitted,
// ServerReply; InvalidArgument if the snapshot names no holder, is of a kind whose fields are not known, or has too
// many readers (TooManyReadHolds; TooManyReaders if it is cut).
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<BreakOutcome>> compareAndRelease(topology::ShardConnections* connections, monitor::LockSnapshot confirmed,
                                                                            Deadline deadline, std::stop_token stop = {});

}  // namespace lockkeeper::control
