#pragma once

#include "locks/kinds/lock.h"

#include <vector>

namespace lockkeeper::locks {

class LockGroup;

// How an attempt on most of the servers ended that did not fail.
struct RedLockAttempt {
    LockAttempt::Outcome outcome = LockAttempt::Outcome::HeldByOther;
    size_t servers = 0;  // Acquired: on how many it is held
    SteadyTime
        validUntil{};  // Acquired: lease less the time it took and the drift; the watchdog prolongs what it renews

    [[nodiscard]] bool acquired() const noexcept { return outcome == LockAttempt::Outcome::Acquired; }
};

// Redisson's RedissonRedLock: one lock on N independent servers, held when more than half of them say so. All are asked
// at once; a server that does not answer in time is one that said no, and what it turns out to have given is given back
// as soon as it answers. Valid time = lease - time used - drift (1 % of the lease and 2 ms); none left is not held.
// Errors: as Lock, when too few servers could be asked; what was taken is then given back, as on cancellation.
// A handle, which must not outlive its clients. Thread: that of its clients.
class LOCKKEEPER_EXPORT RedLock {
public:
    // One lock a server, at least one; each of a client of its own, and no server a replica of another. answerTimeout:
    // how long a server may take to answer, beyond the wait that it was asked for.
    explicit RedLock(std::vector<Lock> members, Milliseconds answerTimeout = Milliseconds(200));
    ~RedLock();
    RedLock(const RedLock&) = default;
    RedLock& operator=(const RedLock&) = default;

    // Asks in rounds up to waitUntil; a server waits for its lock for an N-th of the time left, at least 1 ms.
    [[nodiscard]] Task<Result<RedLockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                       std::optional<Milliseconds> lease = std::nullopt,
                                                       std::stop_token stop = {}) const;
    // Waits for as long as it takes: until most servers give it, however many are away. Answers how it is held.
    [[nodiscard]] Task<Result<RedLockAttempt>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // On every server, also where no answer had come. Does not wait longer than answerTimeout for one that is silent:
    // that goes on by itself. NotHeld when most servers say that it was not held there, and none that it was.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;

private:
    std::shared_ptr<const LockGroup> m_group;
    Milliseconds m_answerTimeout;
};

}  // namespace lockkeeper::locks
