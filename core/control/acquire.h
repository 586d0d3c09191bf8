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

// Takes locks for the console, or extends those that it holds. Each action has a line in the audit before and after it.
// Thread: the client's.
class Acquire {
public:
    // All references must outlive this object. taken: called when a lock was taken, before its outcome is in the audit;
    // for an extension once more at its end.
    Acquire(locks::LockClient& client, OwnLocks& own, OwnLockAudit& audit, ForceRelease& reader,
            std::function<void()> taken);

    // From now on no new command is sent, for this reason; nothing: commands are allowed again.
    void refuse(std::optional<Error> why) { m_refusal = std::move(why); }
    // stop: ends the wait for the lock. end: ends the whole operation. Outcomes: Acquired, HeldByOther, Failed.
    [[nodiscard]] Task<OperationResult> run(AcquireRequest request, std::stop_token stop, std::stop_token end);
    // Extends a lock that the console holds under this key: it is taken again and released once. stop: ends the taking.
    [[nodiscard]] Task<OperationResult> extend(AcquireRequest request, locks::HoldKey key, std::stop_token stop,
                                               std::stop_token end);

private:
    [[nodiscard]] Task<OperationResult> acquire(AcquireRequest request, std::stop_token stop);
    // The lock's state for the audit; nothing if it cannot be read.
    [[nodiscard]] Task<std::optional<monitor::LockSnapshot>> stateOf(LockName name, std::stop_token stop);

    locks::LockClient& m_client;
    OwnLocks& m_own;
    OwnLockAudit& m_audit;
    ForceRelease& m_reader;
    const std::function<void()> m_taken;
    std::optional<Error> m_refusal;
};

}  // namespace lockkeeper::control
