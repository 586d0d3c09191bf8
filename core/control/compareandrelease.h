// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/operations.h"
#include "lockkeeper_monitor_export.h"
#include "redis/script.h"
#include "topology/shardconnections.h"

namespace lockkeeper::control {

// How much longer the lease of a quarantine is than its time. The quarantine is released before its lease expires, so
// that its waiters are woken.
constexpr Milliseconds quarantineMargin{2000};

// Broken: the change was made. AlreadyFree: there is nothing left to change.
enum class BreakOutcome { Broken, AlreadyFree, Changed };
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Outcome outcomeOf(BreakOutcome broken);

// The script that makes a change, with its keys and arguments.
struct ChangeScript {
    QString file;  // the script's own part, for example "control/lua/compare_and_release.lua"
    redis::Script script;
    QByteArrayList keys;
    QByteArrayList arguments;
};

// The lock as this console alone holds it after a quarantine: a read/write lock for writing; of a faster multi lock the
// values that were taken.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT monitor::LockSnapshot heldInQuarantine(const monitor::LockSnapshot& confirmed,
                                                                               const LockChange& change);

// Errors: InvalidArgument if the change lacks what its kind needs. Also if the change compares the whole lock and the
// snapshot names no holder, is of a kind with unknown fields, or has too many readers (TooManyReadHolds; TooManyReaders
// if it is cut).
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ChangeScript> changeScript(const monitor::LockSnapshot& confirmed,
                                                                          const LockChange& change);

// Changes a lock only if it is still in the confirmed state: holders, counts, modes and token, or the part of it that
// the change is about. Comparing and changing is one script, so no change can come in between. A release wakes the
// right waiters (core/locks/protocol.md, "Release: force") and deletes the readers' leftover keys. Errors:
// OutcomeUnknown (sent, not answered: read the lock again; the command is not repeated), NotAnnounced (changed, but the
// waiters were not woken), ConnectionLost, NotPermitted, ServerReply, those of changeScript(), and that of beforeAgain.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<BreakOutcome>> applyChange(
    topology::ShardConnections* connections, monitor::LockSnapshot confirmed, LockChange change, Deadline deadline,
    std::stop_token stop = {}, redis::BeforeSendingAgain beforeAgain = {});
// As applyChange(), to release the lock.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<BreakOutcome>> compareAndRelease(
    topology::ShardConnections* connections, monitor::LockSnapshot confirmed, Deadline deadline,
    std::stop_token stop = {});
// As applyChange(), to end a quarantine. held: as heldInQuarantine() returns it. If the console no longer has all
// values of a faster multi lock, the remaining ones are released, too; the answer is then Changed if another holder has
// one of the values, else AlreadyFree.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<BreakOutcome>> releaseQuarantine(
    topology::ShardConnections* connections, monitor::LockSnapshot held, Deadline deadline, std::stop_token stop = {});

}  // namespace lockkeeper::control
