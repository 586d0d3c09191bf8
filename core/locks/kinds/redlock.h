// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

#include <memory>
#include <vector>

namespace lockkeeper::locks {

class LockGroup;

// The outcome of an attempt on the majority of the servers, if it did not fail.
struct RedLockAttempt {
    LockAttempt::Outcome outcome = LockAttempt::Outcome::HeldByOther;
    size_t servers = 0;  // Acquired: the number of servers that granted it
    SteadyTime
        validUntil{};  // Acquired: lease less the elapsed time and the drift; the watchdog prolongs what it renews

    [[nodiscard]] bool acquired() const noexcept { return outcome == LockAttempt::Outcome::Acquired; }
};

// Redisson's RedissonRedLock: one lock on N independent servers, held if more than half of them grant it. All are asked
// at once. A server that does not answer in time counts as a refusal; if it turns out to have granted the lock, the
// lock is released as soon as it answers. Valid time = lease - elapsed time - drift (1 % of the lease and 2 ms); if
// none is left, the lock is not held. Errors: as Lock, if too few servers could be asked; locks already taken are then
// released, as after a cancellation.
// A handle, which must not outlive its clients. Thread: that of its clients.
class LOCKKEEPER_EXPORT RedLock {
public:
    // One lock for each server, at least one. Each needs its own client, and no server may be a replica of another.
    // answerTimeout: how long a server may take to answer, in addition to the requested wait.
    explicit RedLock(std::vector<Lock> members, Milliseconds answerTimeout = Milliseconds(200));
    ~RedLock();
    RedLock(const RedLock&) = default;
    RedLock& operator=(const RedLock&) = default;

    // Asks in rounds until waitUntil. Each server waits for its lock for an N-th of the remaining time, at least 1 ms.
    [[nodiscard]] Task<Result<RedLockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                       std::optional<Milliseconds> lease = std::nullopt,
                                                       std::stop_token stop = {}) const;
    // Waits without a time limit until the majority grants the lock, however many servers are unreachable. Returns how
    // the lock is held.
    [[nodiscard]] Task<Result<RedLockAttempt>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // Releases on every server, also on those that have not answered. Waits at most answerTimeout for a silent server;
    // its release continues in the background. NotHeld if the majority answers that it was not held there, and no
    // server answers that it was.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;

private:
    std::shared_ptr<const LockGroup> m_group;
    Milliseconds m_answerTimeout;
};

}  // namespace lockkeeper::locks
