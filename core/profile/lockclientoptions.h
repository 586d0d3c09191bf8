// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/lockclient.h"
#include "profile/locksettings.h"

namespace lockkeeper::profile {

// For a client that takes the same locks.
[[nodiscard]] inline locks::LockClientOptions lockClientOptions(const LockSettings& settings) {
    locks::LockClientOptions options;
    options.nameMapper = settings.names;
    options.watchdogTimeout = settings.watchdogTimeout.value_or(options.watchdogTimeout);
    options.fairLockWaitTimeout = settings.fairWait.value_or(options.fairLockWaitTimeout);
    if (!settings.awaitsReplicas.value_or(true))
        options.replicasToWaitFor = 0;
    options.replicaTimeout = settings.replicaTimeout.value_or(options.replicaTimeout);
    return options;
}

}  // namespace lockkeeper::profile
