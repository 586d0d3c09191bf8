// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockclient.h"

#include <stop_token>

namespace lockkeeper::locks {

// Redisson's RSemaphore, with the same key, values and messages: a number of free permits on the server. It has no
// owner and no lease: permits that a program has taken when it dies are gone until somebody releases as many. A
// PermitSemaphore does not have this fault. A handle: copies mean the same semaphore. Errors: ConnectionLost (nothing
// was sent), OutcomeUnknown, NotPermitted, ServerReply, e.g. WRONGTYPE, or for a value that is not a whole number; then
// nothing is changed. NotAnnounced if the permits are changed, but the server does not let this user publish the
// message that wakes the waiters. OutcomeUnknown means that the command was sent and its answer is lost. The server
// does not know who has taken permits, so nobody can know whether these were: the call is not repeated, and nothing is
// released by itself. Only the number of permits, compared with those that are used, shows it. Replicas are not waited
// for. Thread: the client's.
class LOCKKEEPER_EXPORT Semaphore {
public:
    Semaphore(LockClient& client, const LockName& name);

    // Sets the number of free permits if there is no such semaphore yet, and wakes the waiters; false if there is one.
    [[nodiscard]] Task<Result<bool>> trySetPermits(qint64 permits) const;
    // Takes so many permits at once, or none. Waits until waitUntil, by messages; a deadline that has passed tries
    // once. False: not so many were free in time. Until waitUntil it also waits for a lost connection, but it ends with
    // OutcomeUnknown if the answer of an attempt is lost. Ends with Cancelled soon after `stop` is triggered. If the
    // answer to a cancelled or timed-out call comes after all, and permits were taken, they are released.
    [[nodiscard]] Task<Result<bool>> tryAcquire(quint32 permits, Deadline waitUntil, std::stop_token stop = {}) const;
    // Waits without a time limit.
    [[nodiscard]] Task<Result<Done>> acquire(quint32 permits = 1, std::stop_token stop = {}) const;
    // Makes so many permits free. The semaphore does not check that they were taken.
    [[nodiscard]] Task<Result<Done>> release(quint32 permits = 1) const;
    // Takes all free permits and answers how many there were. A negative number of permits becomes 0, and is the
    // answer.
    [[nodiscard]] Task<Result<qint64>> drain() const;
    // Adds to the number of free permits; with a negative difference the number may become negative.
    [[nodiscard]] Task<Result<Done>> addPermits(qint64 difference) const;
    // The number of free permits; 0 if there is no such semaphore. Fails with Protocol and UnexpectedReply if the value
    // is not a number.
    [[nodiscard]] Task<Result<qint64>> availablePermits() const;

    // Redisson's delete(); false if there is no such semaphore. Waiters are not woken, and wait on until permits are
    // set again. Do it only if nobody uses it: a release by one who still has permits makes a new semaphore.
    [[nodiscard]] Task<Result<bool>> remove() const;

    // Completes when no call of this client about this name has an answer to come, and nothing is to be released any
    // more. As long as the server does not answer, it does not complete. If the server refuses to take back permits, it
    // ends with the server's error, and that is tried again for 10 minutes; with OutcomeUnknown if meanwhile an answer is
    // lost that may have taken permits. It completes from the event loop, and with ConnectionLost if the client is
    // destroyed.
    [[nodiscard]] Completion<Done> whenSettled() const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
