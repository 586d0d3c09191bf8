// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/forcerelease.h"
#include "control/operations.h"
#include "control/ownlockaudit.h"
#include "control/ownlocks.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace lockkeeper::control {

// Takes locks for the console, or extends those that it holds, each with a line in the audit before and after. Thread: the
// client's.
class Acquire {
public:
    // All outlive it. taken: called when a lock was taken, before the audit has its outcome; of an extension once more at
    // its end.
    Acquire(locks::LockClient& client, OwnLocks& own, OwnLockAudit& audit, ForceRelease& reader, std::function<void()> taken);

    // From now on nothing new is sent, for this reason; nothing: it is allowed again.
    void refuse(std::optional<Error> why) { m_refusal = std::move(why); }
    // stop: ends the waiting for the lock; end: all of it. Its outcomes: Acquired, HeldByOther, Failed.
    [[nodiscard]] Task<OperationResult> run(AcquireRequest request, std::stop_token stop, std::stop_token end);
    // Of a lock that the console holds under this key: taken again and released once. stop: ends the taking.
    [[nodiscard]] Task<OperationResult> extend(AcquireRequest request, locks::HoldKey key, std::stop_token stop, std::stop_token end);

private:
    [[nodiscard]] Task<OperationResult> acquire(AcquireRequest request, std::stop_token stop);
    // For the audit; nothing if it cannot be read.
    [[nodiscard]] Task<std::optional<monitor::LockSnapshot>> stateOf(LockName name, std::stop_token stop);

    locks::LockClient& m_client;
    OwnLocks& m_own;
    OwnLockAudit& m_audit;
    ForceRelease& m_reader;
    const std::function<void()> m_taken;
    std::optional<Error> m_refusal;
};

}  // namespace lockkeeper::control
