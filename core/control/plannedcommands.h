// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::control {

// What a script does besides, or otherwise, because it reads more than it compares.
enum class ScriptBranch {
    OtherQueue,      // each waiter that is subscribed and not in the lock's queue gets its message: its queue has another name
    QueueThen,       // the waiters are those of that moment
    ReadersThen,     // so are the other readers: after the last one the lock is deleted and its waiters are woken
    HeadThen,        // if the waiter is the head of a free lock then, the next one is woken
    ReleaseAtEnd,    // of a quarantine: another script, which wakes the waiters
    BothMessages     // while the slot moves, each message goes to the shard's channel and to the plain one
};

// The call of a script that makes a change.
struct PlannedCall {
    QString file;    // the script's own part, for example "control/lua/compare_and_release.lua"
    QByteArray sha;  // as EVALSHA takes it
    QByteArrayList keys;
    QByteArrayList arguments;
    // With which the script changes the lock and wakes its waiters, in its order, if the lock is still as confirmed: what
    // it does after it has compared. An argument that the script computes is empty: of PEXPIRE the longest lease left, of
    // HSET the time at which a lease ends.
    QList<QByteArrayList> commands;
    QList<ScriptBranch> branches;
};

// Nothing if the change cannot be made, see changeScript(). now: decides which waiters of a fair queue count as dead. It
// publishes as the node of the lock does; if the slot moves meanwhile, the script is sent in the form that fits the other
// node.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<PlannedCall> plannedCall(const monitor::LockSnapshot& confirmed,
                                                                               const LockChange& change, WallTime now);

// Why no script can make the change: the errors of changeScript(). For a quarantine, which compares the same, those of a
// release, because who will hold the lock is not known yet.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Error> whyNotPossible(const monitor::LockSnapshot& confirmed,
                                                                            LockChange change);

}  // namespace lockkeeper::control
