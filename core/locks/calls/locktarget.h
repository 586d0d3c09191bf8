// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/lockdialect.h"
#include "locks/lockclient.h"

namespace lockkeeper::locks {

// One holder's side of one lock.
struct LockTarget {
    LockClient* client;
    const LockDialect* dialect;
    HoldKey key;

    LockTarget(LockClient* lockClient, const LockDialect* lockDialect, HoldKey holdKey)
        : client(lockClient), dialect(lockDialect), key(std::move(holdKey)) {}

    [[nodiscard]] Deadline commandDeadline() const {
        return Deadline::in(client->clock(), client->options().commandTimeout);
    }
};

// The parameters of one acquire.
struct AcquireCall : LockTarget {
    Milliseconds lease;
    Renewal renewal;
    std::stop_token stop;
    std::optional<Milliseconds> queueFor;  // how long a place in the queue is kept; nothing: do not queue

    AcquireCall(LockTarget target, std::optional<Milliseconds> wantedLease, std::stop_token stopToken)
        : LockTarget(std::move(target)),
          lease(wantedLease.value_or(client->options().watchdogTimeout)),
          renewal(wantedLease ? Renewal::FixedLease : Renewal::Watchdog),
          stop(std::move(stopToken)) {}
};

}  // namespace lockkeeper::locks
