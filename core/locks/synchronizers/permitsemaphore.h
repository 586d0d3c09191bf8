// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockclient.h"

#include <optional>
#include <stop_token>

namespace lockkeeper::locks {

// One permit that a client has taken: 16 random bytes, which the client makes. Redisson shows them as 32 hex digits.
class LOCKKEEPER_EXPORT PermitId {
public:
    PermitId() = default;  // no permit
    [[nodiscard]] static PermitId random();
    // The id of these 32 hex digits; nothing for any other text.
    [[nodiscard]] static std::optional<PermitId> fromHex(QByteArrayView text);

    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_bytes; }
    [[nodiscard]] QByteArray hex() const { return m_bytes.toHex(); }
    friend bool operator==(const PermitId&, const PermitId&) = default;

private:
    explicit PermitId(QByteArray bytes) : m_bytes(std::move(bytes)) {}

    QByteArray m_bytes;
};

// Redisson's RPermitExpirableSemaphore, with the same keys, values and messages: permits that have ids, and leases
// after which they become free, by the server's clock. The server sends no message when a lease expires: a waiter wakes
// at the end of the next lease. There is no watchdog; updateLease() prolongs a permit. Replicas are not waited for. A
// handle: copies mean the same semaphore.
//
// Errors: ConnectionLost (nothing was sent), OutcomeUnknown, NotPermitted, ServerReply, e.g. WRONGTYPE, or for a value
// that is not a whole number; then nothing is changed. NotAnnounced if the permits are changed, but the server does not
// let this user publish the message that wakes the waiters. InvalidArgument: a lease below 1 ms or above 100 years.
//
// OutcomeUnknown means that the command was sent and its answer is lost. An acquire is reconciled when the server
// answers again: a permit that it may have taken is released by its id. A release or an updateLease of unknown outcome
// may be called again. The client does not repeat other writes.
//
// Thread: the client's.
class LOCKKEEPER_EXPORT PermitSemaphore {
public:
    PermitSemaphore(LockClient& client, const LockName& name);

    // Sets the number of free permits if there is no such semaphore yet, and wakes the waiters; false if there is one.
    [[nodiscard]] Task<Result<bool>> trySetPermits(qint64 permits) const;
    // Sets the number of all permits, the taken ones included. If more are taken, the number of free ones is negative.
    [[nodiscard]] Task<Result<Done>> setPermits(qint64 permits) const;
    // Adds to the number of free permits; with a negative difference the number may become negative.
    [[nodiscard]] Task<Result<Done>> addPermits(qint64 difference) const;
    // Takes one permit for this lease; without a lease it never expires. Waits until waitUntil, by messages and by the
    // end of the next lease; if waitUntil has passed, the call tries once. Nothing: no permit was free in time. Until
    // waitUntil it also waits for a lost connection and reconciles an attempt of unknown outcome. Ends with Cancelled
    // soon after `stop` is triggered. If the answer to a cancelled or timed-out call comes late, its permit is
    // released.
    [[nodiscard]] Task<Result<std::optional<PermitId>>> tryAcquire(Deadline waitUntil,
                                                                   std::optional<Milliseconds> lease = std::nullopt,
                                                                   std::stop_token stop = {}) const;
    // Releases the permit. False: its lease had expired before.
    [[nodiscard]] Task<Result<bool>> release(PermitId permit) const;
    // Sets the permit's lease, counted from now. False: it had expired before.
    [[nodiscard]] Task<Result<bool>> updateLease(PermitId permit, Milliseconds lease) const;
    // The number of free permits, after permits with an expired lease are freed; 0 if there is no such semaphore.
    [[nodiscard]] Task<Result<qint64>> availablePermits() const;

    // Redisson's delete(), which also deletes the leases of the permits; false if there is nothing. Waiters are not
    // woken, and wait on until permits are set again. A permit that was taken before is lost: its release answers
    // false.
    [[nodiscard]] Task<Result<bool>> remove() const;

    // Completes when no call of this client about this name is unanswered, and nothing is left to be released. It does
    // not complete as long as the server does not answer. If the server refuses to take back a permit, it completes
    // with the server's error; taking back is tried again as long as the permit's lease lasts. It completes from the
    // event loop, and with ConnectionLost if the client is destroyed.
    [[nodiscard]] Completion<Done> whenSettled() const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
