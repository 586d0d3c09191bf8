#pragma once

#include "async/task.h"
#include "locks/calls/locktarget.h"

namespace lockkeeper::locks {

// What a server takes for an expiry, with room to spare: beyond the end of its clock it refuses.
constexpr Milliseconds shortestLease{1};
constexpr Milliseconds longestLease = std::chrono::hours(24) * 365 * 100;

// The coroutines behind the handles, the same for every kind of lock: what differs is the dialect's. Static, with
// everything by value or shared: a handle may be a temporary that is gone long before its call ends. Thread: the
// client's.
class LockCalls {
public:
    [[nodiscard]] static Task<Result<LockAttempt>> tryLock(AcquireCall call, Deadline waitUntil);
    [[nodiscard]] static Task<Result<ReleaseOutcome>> unlock(LockTarget target);
    [[nodiscard]] static Task<Result<bool>> forceUnlock(LockTarget target);
    // As unlock(), of a hold that nobody will ask for again: where the server cannot be reached, nothing renews it any
    // more, and it is settled when the server is back.
    [[nodiscard]] static Task<Result<ReleaseOutcome>> giveBack(LockTarget target);
    // Sets the lease of a hold, from now on. NotHeld when the server does not name it any more.
    [[nodiscard]] static Task<Result<Done>> setLease(LockTarget target, Milliseconds lease, std::stop_token stop);
    // Runs as long as the client lives.
    static void spawn(LockClient* client, Task<void> task) { client->m_scope.spawn(std::move(task)); }

private:
    // Shared by all the coroutines that serve one acquire.
    using Call = std::shared_ptr<const AcquireCall>;

    // When it is sent again, as EVAL, the ticket counts as sent last.
    static Completion<redis::RespValue> sendLease(const LockTarget& target, LeaseTicket ticket, ScriptCall script);

    // An acquire or a release is under way for as long as one of these lives.
    class UnderWay;
    template <typename OnLate>
    static std::shared_ptr<UnderWay> callBegan(const LockTarget& target, const Completion<redis::RespValue>& reply,
                                               OnLate onLate);

    static Task<Result<LockAttempt>> tryWithReplicas(Call call, Deadline waitUntil);
    static Task<void> giveBackSoon(LockTarget target);
    static Task<Result<LockAttempt>> tryWithoutReplicas(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryInQueue(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryAndWait(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> waitForMessage(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<LockAttempt>> waitInTurns(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<LockAttempt>> attemptUntilAnswered(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> attemptAgain(Call call, Deadline waitUntil, Error failure);
    static Task<Result<LockAttempt>> attempt(Call call);
    static void onLateAttempt(const AcquireCall& call, const Result<redis::RespValue>& late);
    static Task<Result<Done>> whenReady(Call call, Deadline waitUntil);

    static void onLateRelease(const LockTarget& target, const Result<redis::RespValue>& late);
    static Error releaseFailed(const LockTarget& target, LeaseTicket ticket, const Error& failure);
};

}  // namespace lockkeeper::locks
