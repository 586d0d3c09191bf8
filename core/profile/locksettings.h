// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "locks/namemapper.h"

#include <QtGlobal>

#include <optional>

namespace lockkeeper::profile {

// What the Java clients of a server have set for their locks. Nothing: not known, so that Redisson's own values count,
// and nothing is concluded from them.
struct LockSettings {
    static constexpr Milliseconds shortestLease{100};
    static constexpr Milliseconds longest{Milliseconds{1000} * 3600 * 24 * 365};
    static constexpr Milliseconds redissonWatchdog{30'000};
    static constexpr Milliseconds redissonFairWait{300'000};

    std::optional<Milliseconds> watchdogTimeout;  // lockWatchdogTimeout
    std::optional<Milliseconds> fairWait;         // fairLockWaitTimeout
    locks::NameMapper names;                      // nameMapper
    std::optional<bool> awaitsReplicas;           // checkLockSyncedSlaves
    std::optional<Milliseconds> replicaTimeout;   // slavesSyncTimeout

    friend bool operator==(const LockSettings& a, const LockSettings& b) {
        return a.watchdogTimeout == b.watchdogTimeout && a.fairWait == b.fairWait && a.names.prefix == b.names.prefix &&
               a.names.suffix == b.names.suffix && a.names.fairQueue == b.names.fairQueue &&
               a.awaitsReplicas == b.awaitsReplicas && a.replicaTimeout == b.replicaTimeout;
    }
};

}  // namespace lockkeeper::profile
