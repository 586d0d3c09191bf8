#pragma once

#include "async/task.h"
#include "locks/lockattempt.h"
#include "locks/lockclient.h"

namespace lockkeeper::locks {

class LockDialect;
struct LockTarget;

// A lock of any kind, by name: what all kinds have in common. A handle; copies mean the same lock, and a copy of a
// kind's handle as a plain Lock stays of that kind. Every call names the thread id that acts, which with the client's
// id makes the holder; reentry counts per holder. `lease`: nothing lets the watchdog renew for as long as it is held.
// Every call ends with Cancelled soon after its token asks; a lock that a cancelled or timed-out call turns out to have
// taken is given back. Errors: ConnectionLost, OutcomeUnknown (settled by itself as soon as the server answers again),
// NotPermitted, ServerReply (e.g. WRONGTYPE), InvalidArgument (a lease below 1 ms or above 100 years).
// Thread: the client's.
class LOCKKEEPER_EXPORT Lock {
public:
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
    // Which of held() is this thread's hold of this lock.
    [[nodiscard]] HoldKey holdKey(ThreadId thread) const;
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

protected:
    Lock(LockClient& client, const LockDialect& dialect, const LockName& name)
        : m_client(&client), m_dialect(&dialect), m_name(name) {}

private:
    friend class LockGroup;

    [[nodiscard]] LockTarget target(ThreadId thread) const;

    LockClient* m_client;
    const LockDialect* m_dialect;
    LockName m_name;
};

}  // namespace lockkeeper::locks
