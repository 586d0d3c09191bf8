// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockclient.h"

#include <stop_token>

namespace lockkeeper::locks {

// Redisson's RCountDownLatch, with the same key, values and messages: a count on the server that others wait for to
// become 0. A latch without a count is open. It has no lease: a latch whose counting programs have died stays closed. A
// handle: copies mean the same latch.
// Errors: ConnectionLost (nothing was sent), OutcomeUnknown, NotPermitted, ServerReply, e.g. WRONGTYPE, or for a value
// that is not a whole number; then nothing is changed. NotAnnounced if the latch is open, but the server does not let
// this user publish the message that wakes the waiters.
// OutcomeUnknown means that the command was sent and its answer is lost. It is not repeated: counting down twice could
// open the latch too early. count() shows more only to a program that knows who else counts.
// In a Cluster the messages of a latch whose name has a brace cannot be published by shard: NotAnnounced; those who
// wait on the plain channel are woken. Thread: the client's.
class LOCKKEEPER_EXPORT CountDownLatch {
public:
    CountDownLatch(LockClient& client, const LockName& name);

    // Sets the count if there is none; false if there is one. A latch that is open can be closed again by this.
    [[nodiscard]] Task<Result<bool>> trySetCount(qint64 count) const;
    // Counts down by one, and answers the remaining count. At 0 all who wait are woken. Of an open latch nothing
    // changes.
    [[nodiscard]] Task<Result<qint64>> countDown() const;
    // 0 if it is open. Fails with Protocol and UnexpectedReply if the value is not a number.
    [[nodiscard]] Task<Result<qint64>> count() const;
    // Redisson's delete(): opens the latch whatever its count is, and wakes all who wait; false if it is open.
    [[nodiscard]] Task<Result<bool>> remove() const;
    // Waits by messages until the latch is open, at most until waitUntil; a deadline that has passed reads it once.
    // False: it was not open in time. Until then it also waits for a lost connection. It changes nothing on the server,
    // so whatever is lost is read again. Ends with Cancelled soon after `stop` is triggered.
    [[nodiscard]] Task<Result<bool>> await(Deadline waitUntil, std::stop_token stop = {}) const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
