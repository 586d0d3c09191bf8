#pragma once

#include "async/task.h"
#include "locks/lockclient.h"

namespace lockkeeper::locks {

// How an attempt ended that did not fail. "Held by another" is an answer, not an error.
struct LockAttempt {
    enum class Outcome { Acquired, HeldByOther };
    Outcome outcome = Outcome::HeldByOther;
    // HeldByOther: what the holder's lease had left; nothing when the lock does not expire.
    std::optional<Milliseconds> remaining;

    [[nodiscard]] bool acquired() const noexcept { return outcome == Outcome::Acquired; }
};

enum class ReleaseOutcome { StillHeld, Free };

// Redisson's RLock: same keys, values, messages and answers. A handle; copies mean the same lock. Every call names the
// thread id that acts, which with the client's id makes the holder; reentry counts per holder. `lease`: nothing lets
// the watchdog renew for as long as it is held. Every call ends with Cancelled soon after its token asks; a lock that a
// cancelled or timed-out call turns out to have taken is given back. Errors: ConnectionLost, OutcomeUnknown (settled by
// itself as soon as the server answers again), NotPermitted, ServerReply (e.g. WRONGTYPE), InvalidArgument (a lease
// below 1 ms or above 100 years).
class LOCKKEEPER_EXPORT ReentrantLock {
public:
    ReentrantLock(LockClient& client, const LockName& name);

    // Waits up to waitUntil (a deadline that has passed tries once), by subscription and TTL, never by polling. Up to
    // then a lost connection is waited for too. A command that is under way then is waited for up to the client's
    // commandTimeout.
    [[nodiscard]] Task<Result<LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                    std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // Waits for as long as it takes.
    [[nodiscard]] Task<Result<Done>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                          std::stop_token stop = {}) const;
    // NotHeld with Redisson's own words when this thread does not hold it.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;
    // Frees it whoever holds it; false when it was free. For operators there is control::compareAndRelease.
    [[nodiscard]] Task<Result<bool>> forceUnlock() const;

    [[nodiscard]] Task<Result<bool>> isLocked() const;
    [[nodiscard]] Task<Result<bool>> isHeldBy(HolderId holder) const;
    [[nodiscard]] Task<Result<qint64>> holdCount(ThreadId thread) const;
    // Nothing: not locked, or without expiry.
    [[nodiscard]] Task<Result<std::optional<Milliseconds>>> remainingTime() const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] HolderId holder(ThreadId thread) const { return HolderId(m_client->id(), thread); }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
