// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "locks/calls/locktarget.h"

namespace lockkeeper::locks {

// Reconciles the server with the client after a lost answer, or after a release that finds more holds than expected.
// Nothing is sent again blindly. One script reduces the server's count for a holder to the count that the client
// believes. It reads before it writes, changes only the holder's own field, and may safely be repeated. All parameters
// by value, as in all coroutines here. Thread: the client's.
class Settling {
public:
    // Ends when the server has answered with the remaining count. Waits for the connection, and for every other answer
    // that this holder still expects.
    [[nodiscard]] static Task<Result<qint64>> settle(LockTarget target, Deadline deadline, std::stop_token stop);
    // lease: for how long the server may keep what is to be released. A server that refuses is asked again until this
    // time has passed since its first refusal; meanwhile LockClient::whenSettled() answers its error.
    static void settleInBackground(const LockTarget& target, Milliseconds lease);
    // Releases the lock and the place in the queue.
    static void giveBackInBackground(const AcquireCall& call);
    // A caller that does not get the lock must not keep its place in the queue. A refusal is reported as that of a
    // release of a hold.
    [[nodiscard]] static Task<void> leaveQueue(std::shared_ptr<const AcquireCall> call);

private:
    static Completion<redis::RespValue> send(const LockTarget& target, const ScriptCall& script);
    static Task<void> pauseAfter(LockTarget target, Error failure, std::chrono::microseconds pause, Deadline deadline,
                                 std::stop_token stop);
    static Task<void> settleUntilAnswered(LockTarget target, Milliseconds lease);
    static Task<void> leaveQueueUntilAnswered(LockTarget target, Milliseconds queuedFor);
    static Task<Result<Done>> leaveQueueOnce(LockTarget target, Milliseconds queuedFor, Deadline deadline);
    static void leaveQueueInBackground(const LockTarget& target, Milliseconds queuedFor);
};

}  // namespace lockkeeper::locks
