#pragma once

#include "async/task.h"
#include "locks/calls/locktarget.h"

namespace lockkeeper::locks {

// What follows a lost answer, or a release that finds more holds than were believed: nothing is sent twice blindly. One
// script brings the server's count for a holder down to what the client believes; it looks before it acts, touches only
// the holder's own field, and running it again does no harm. By value, as all coroutines here. Thread: the client's.
class Settling {
public:
    // Ends when the server has answered with the count that is left; waits for the connection, and for every other
    // answer of this holder that is under way.
    [[nodiscard]] static Task<Result<qint64>> settle(LockTarget target, Deadline deadline, std::stop_token stop);
    static void settleInBackground(const LockTarget& target);
    // The lock, and the place in the queue.
    static void giveBackInBackground(const AcquireCall& call);
    // Whoever does not get the lock must not keep its place in the queue.
    [[nodiscard]] static Task<void> leaveQueue(std::shared_ptr<const AcquireCall> call);

private:
    static Completion<redis::RespValue> send(LockClient* client, const ScriptCall& script);
    static Task<void> settleUntilAnswered(LockTarget target);
    static Task<void> leaveQueueUntilAnswered(LockTarget target, Milliseconds queuedFor);
    static void leaveQueueInBackground(const LockTarget& target, Milliseconds queuedFor);
};

}  // namespace lockkeeper::locks
