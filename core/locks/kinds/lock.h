// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockattempt.h"
#include "locks/lockclient.h"

#include <optional>
#include <stop_token>

namespace lockkeeper::locks {

class LockDialect;
struct LockTarget;

// A lock of any kind, by name: what all kinds have in common. A handle: copies mean the same lock, and a copy of a
// kind's handle as a plain Lock keeps its kind. Every call names the acting thread id, which together with the client's
// id is the holder; reentry counts per holder. `lease`: nothing means that the watchdog renews the lock as long as it
// is held. Every call ends with Cancelled soon after its stop token is triggered. If a cancelled or timed-out call
// turns out to have taken the lock, the lock is released.
//
// Errors: ConnectionLost, OutcomeUnknown (reconciled automatically when the server answers again), NotPermitted,
// ServerReply (e.g. WRONGTYPE), InvalidArgument (a lease below 1 ms or above 100 years).
// Thread: the client's.
class LOCKKEEPER_EXPORT Lock {
public:
    // Waits until waitUntil, by subscription and TTL. If waitUntil has passed, the call tries once. Until waitUntil it
    // also waits for a lost connection. If a command is unanswered at waitUntil, its answer is awaited up to the
    // client's commandTimeout.
    //
    // A free fair lock with others before this holder in its queue is tried again by time: at place 2 after 1 s, at
    // place n after n-1 s.
    //
    // A lock that too few replicas have acknowledged is released, and acquired again after a pause;
    // LockClient::acquirePostponed reports this each time. At waitUntil the call fails with Timeout and TooFewReplicas.
    [[nodiscard]] Task<Result<LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                    std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // Waits without a time limit.
    [[nodiscard]] Task<Result<Done>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                          std::stop_token stop = {}) const;
    // NotHeld, with Redisson's own words, if this thread does not hold the lock. NotAnnounced if the lock is released,
    // but the server does not let this user publish the message that wakes the waiters.
    //
    // OutcomeUnknown if the command is not answered in time, or the connection is lost: the client makes sure that the
    // hold ends (LockClient::whenSettled). If the answer comes late, whenSettled() reports whether the hold was there
    // until then. If the answer is lost, this stays unknown: a release that was executed and a lock that was taken away
    // just before leave the same state.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;
    // Frees the lock for every holder; false if it was free. NotAnnounced as unlock(). Operators use
    // control::compareAndRelease instead.
    [[nodiscard]] Task<Result<bool>> forceUnlock() const;

    // For a read/write lock: whether it is locked in the mode of this handle, reading or writing. A writer that also
    // reads locks it in both modes.
    [[nodiscard]] Task<Result<bool>> isLocked() const;
    // Whether this holder has the lock on the server, in the mode of this handle.
    [[nodiscard]] Task<Result<bool>> isHeldBy(HolderId holder) const;
    // The number of this thread's holds on the server, in the mode of this handle; 0 if it has none.
    [[nodiscard]] Task<Result<qint64>> holdCount(ThreadId thread) const;
    // For a read/write lock: the time until the last of its holders may be gone.
    [[nodiscard]] Task<Result<RemainingTime>> remainingTime() const;

    // Redisson's delete(). Also removes what a free lock leaves on the server for ever: the last token of a fenced lock
    // and the queue of a fair one. Use it only if nobody uses the lock: tokens begin again at 1, and live waiters lose
    // their place. FreeFirst calls forceUnlock() first, so the holder works on without the lock; the outcome is Held if
    // a waiter takes the lock in that moment. NotAnnounced as forceUnlock(); then only the hold is removed.
    [[nodiscard]] Task<Result<RemovalOutcome>> remove(Removal removal = Removal::OnlyIfFree) const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] HolderId holder(ThreadId thread) const { return HolderId(m_client->id(), thread); }
    // The key of this thread's hold of this lock, as in LockClient::heldKeys().
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
