// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::control {

// What a script does in addition or differently, because it reads more than it compares.
enum class ScriptBranch {
    OtherQueue,    // the queue has another name: each subscribed waiter outside the lock's queue gets its message
    QueueThen,     // the waiters are those at the time of the script
    ReadersThen,   // so are the other readers: after the last one the lock is deleted and its waiters are woken
    HeadThen,      // if the waiter is then the head of a free lock, the next one is woken
    ReleaseAtEnd,  // at the end of a quarantine another script releases the lock, which wakes the waiters
    BothMessages   // while the slot moves, each message goes to the shard channel and to the plain one
};

// The call of a script that makes a change.
struct PlannedCall {
    QString file;    // the script's own part, for example "control/lua/compare_and_release.lua"
    QByteArray sha;  // as EVALSHA takes it
    QByteArrayList keys;
    QByteArrayList arguments;
    // The commands by which the script changes the lock and wakes its waiters, in order, if the lock is still as
    // confirmed; those for the comparison are left out. An argument that the script computes is empty: for PEXPIRE the
    // longest remaining lease, for HSET the time at which a lease ends.
    QList<QByteArrayList> commands;
    QList<ScriptBranch> branches;
};

// Nothing if the change cannot be made, see changeScript(). now: decides which waiters of a fair queue count as dead.
// The call publishes as the node of the lock does; if the slot moves meanwhile, the script is sent in the form for the
// other node.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<PlannedCall> plannedCall(const monitor::LockSnapshot& confirmed,
                                                                               const LockChange& change, WallTime now);

// Why no script can make the change: the errors of changeScript(). For a quarantine, these are the errors of a release,
// which compares the same, because the new holder is not known yet.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Error> whyNotPossible(const monitor::LockSnapshot& confirmed,
                                                                            LockChange change);

}  // namespace lockkeeper::control
