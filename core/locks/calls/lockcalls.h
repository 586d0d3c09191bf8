// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "locks/calls/locktarget.h"
#include "locks/lockclientstate.h"

namespace lockkeeper::locks {

// The range of expiry times that a server accepts, with a margin: a server refuses a time beyond the end of its clock.
constexpr Milliseconds shortestLease{1};
constexpr Milliseconds longestLease = std::chrono::hours(24) * 365 * 100;

// The coroutines that acquire and keep locks, behind the lock handles. They are the same for every kind of lock; the
// dialect contains the differences. They are static and take everything by value or shared, because a handle may be a
// temporary that is destroyed long before its call ends. Thread: the client's.
class LockCalls {
public:
    [[nodiscard]] static Task<Result<LockAttempt>> tryLock(AcquireCall call, Deadline waitUntil);
    // Sets the lease of a hold, counted from now. NotHeld if the server no longer names this holder.
    [[nodiscard]] static Task<Result<Done>> setLease(LockTarget target, Milliseconds lease, std::stop_token stop);
    // The task runs as long as the client lives.
    static void spawn(LockClient* client, Task<void> task) { client->state().scope().spawn(std::move(task)); }

private:
    // Shared by all coroutines that serve one acquire.
    using Call = std::shared_ptr<const AcquireCall>;

    static Task<Result<LockAttempt>> tryWithReplicas(Call call, Deadline waitUntil);
    static bool mayHaveReplicas(const AcquireCall& call);
    static Task<Result<Done>> keptByReplicas(Call call);
    static Task<Result<Done>> reachedReplicas(Call call);
    static Task<void> giveBackSoon(LockTarget target);
    static Task<Result<LockAttempt>> tryWithoutReplicas(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryWhenSettled(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryDirectly(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryInQueue(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryAndWait(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryWhenReady(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryFirst(Call call, Deadline waitUntil);
    static bool isOver(const Result<LockAttempt>& tried, const Deadline& waitUntil);
    static Task<Result<LockAttempt>> waitAfter(Call call, Deadline waitUntil, Result<LockAttempt> first);
    static Task<Result<LockAttempt>> waitForMessage(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<LockAttempt>> waitInTurns(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<LockAttempt>> attemptUntilAnswered(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> attemptAgain(Call call, Deadline waitUntil, Error failure);
    // patience: until when the attempt is sent again to nodes that do not serve the slot. After that their refusal is
    // the answer.
    static Task<Result<LockAttempt>> attempt(Call call, Deadline patience);
    static Task<Result<LockAttempt>> afterReport(Call call, Result<LockAttempt> attempt);
    static void onLateAttempt(const AcquireCall& call, const Result<redis::RespValue>& late);
};

}  // namespace lockkeeper::locks
