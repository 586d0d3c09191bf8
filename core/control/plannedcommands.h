// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/compareandrelease.h"
#include "redis/publishing.h"

namespace lockkeeper::control {

// The commands with which a script changes the lock and wakes its waiters, in its order, if the lock is still as
// confirmed: what it does after it has compared. An argument that the script
// computes is empty. now: decides which waiters of a fair queue count as dead.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<QByteArrayList> plannedCommands(const monitor::LockSnapshot& confirmed,
                                                                              const LockChange& change,
                                                                              redis::Publishing publishing,
                                                                              WallTime now);

}  // namespace lockkeeper::control
