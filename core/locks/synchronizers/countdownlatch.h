// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "locks/lockclient.h"

#include <stop_token>

namespace lockkeeper::locks {

// Redisson's RCountDownLatch, with the same key, values and messages: a count on the server, and waiters that wait
// until it is 0. A latch without a count is open. It has no lease: a latch whose counting programs have died stays
// closed. A handle: copies mean the same latch.
//
// Errors: ConnectionLost (nothing was sent), OutcomeUnknown, NotPermitted, ServerReply, e.g. WRONGTYPE, or for a value
// that is not a whole number; then nothing is changed. NotAnnounced if the latch is open, but the server does not let
// this user publish the message that wakes the waiters. In a Cluster NotAnnounced also if the name of the latch has a
// brace: its messages cannot be published by shard, so only waiters on the plain channel are woken.
//
// OutcomeUnknown means that the command was sent and its answer is lost. The command is not repeated: counting down
// twice could open the latch too early. count() shows the outcome only to a program that knows all others that count.
//
// Thread: the client's.
class LOCKKEEPER_EXPORT CountDownLatch {
public:
    CountDownLatch(LockClient& client, const LockName& name);

    // Sets the count if there is none; false if there is one. Call it also to close an open latch again.
    [[nodiscard]] Task<Result<bool>> trySetCount(qint64 count) const;
    // Counts down by one, and answers the remaining count. At 0 all waiters are woken. An open latch is not changed.
    [[nodiscard]] Task<Result<qint64>> countDown() const;
    // 0 if it is open. Fails with Protocol and UnexpectedReply if the value is not a number.
    [[nodiscard]] Task<Result<qint64>> count() const;
    // Redisson's delete(): opens the latch whatever its count is, and wakes all waiters; false if it was open.
    [[nodiscard]] Task<Result<bool>> remove() const;
    // Waits by messages until the latch is open, at most until waitUntil; if waitUntil has passed, the count is read
    // once. False: it was not open in time. Until waitUntil it also waits for a lost connection. It changes nothing on
    // the server, so a read whose answer is lost is repeated. Ends with Cancelled soon after `stop` is triggered.
    [[nodiscard]] Task<Result<bool>> await(Deadline waitUntil, std::stop_token stop = {}) const;

    [[nodiscard]] const LockName& name() const noexcept { return m_name; }
    [[nodiscard]] LockClient& client() const noexcept { return *m_client; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
