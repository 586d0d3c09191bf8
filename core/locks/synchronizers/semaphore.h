// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockclient.h"

#include <stop_token>

namespace lockkeeper::locks {

// Redisson's RSemaphore, with the same key, values and messages: a number of free permits on the server. It has no
// owner and no lease: permits that a program has when it dies are gone until somebody releases as many. A
// PermitSemaphore avoids this. Replicas are not waited for. A handle: copies mean the same semaphore.
//
// Errors: ConnectionLost (nothing was sent), OutcomeUnknown, NotPermitted, ServerReply, e.g. WRONGTYPE, or for a value
// that is not a whole number; then nothing is changed. NotAnnounced if the permits are changed, but the server does not
// let this user publish the message that wakes the waiters.
//
// OutcomeUnknown means that the command was sent and its answer is lost. The server does not know who has taken
// permits, so nobody can know whether this call has taken some. The call is not repeated, and nothing is released
// automatically. Only the number of permits, compared with those in use, shows the outcome.
//
// Thread: the client's.
class LOCKKEEPER_EXPORT Semaphore {
public:
    Semaphore(LockClient& client, const LockName& name);

    // Sets the number of free permits if there is no such semaphore yet, and wakes the waiters; false if there is one.
    [[nodiscard]] Task<Result<bool>> trySetPermits(qint64 permits) const;
    // Takes so many permits at once, or none. Waits until waitUntil, by messages; if waitUntil has passed, the call
    // tries once. False: not so many were free in time. Until waitUntil it also waits for a lost connection, but it
    // ends with OutcomeUnknown if the answer of an attempt is lost. Ends with Cancelled soon after `stop` is triggered.
    // If the answer to a cancelled or timed-out call comes late and permits were taken, they are released.
    [[nodiscard]] Task<Result<bool>> tryAcquire(quint32 permits, Deadline waitUntil, std::stop_token stop = {}) const;
    // Waits without a time limit.
    [[nodiscard]] Task<Result<Done>> acquire(quint32 permits = 1, std::stop_token stop = {}) const;
    // Makes so many permits free. The semaphore does not check that they were taken.
    [[nodiscard]] Task<Result<Done>> release(quint32 permits = 1) const;
    // Takes all free permits and answers how many there were. A negative number of permits is answered as it is, and
    // becomes 0.
    [[nodiscard]] Task<Result<qint64>> drain() const;
    // Adds to the number of free permits; with a negative difference the number may become negative.
    [[nodiscard]] Task<Result<Done>> addPermits(qint64 difference) const;
    // The number of free permits; 0 if there is no such semaphore. Fails with Protocol and UnexpectedReply if the value
    // is not a number.
    [[nodiscard]] Task<Result<qint64>> availablePermits() const;

    // Redisson's delete(); false if there is no such semaphore. Waiters are not woken, and wait on until permits are
    // set again. Use it only if nobody uses the semaphore: a release by a program that still has permits makes a new
    // semaphore.
    [[nodiscard]] Task<Result<bool>> remove() const;

    // Completes when no call of this client about this name is unanswered, and nothing is left to be released. It does
    // not complete as long as the server does not answer. If the server refuses to take back permits, it completes with
    // the server's error, and taking back is tried again for 10 minutes. It completes with OutcomeUnknown if meanwhile
    // an answer is lost that may have taken permits. It completes from the event loop, and with ConnectionLost if the
    // client is destroyed.
    [[nodiscard]] Completion<Done> whenSettled() const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
