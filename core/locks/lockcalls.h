#pragma once

#include "async/task.h"
#include "locks/dialect/lockdialect.h"
#include "locks/lockclient.h"

namespace lockkeeper::locks {

// The server refuses an expiry that overflows its clock only after the hold was written, which would leave a lock for
// ever.
constexpr Milliseconds shortestLease{1};
constexpr Milliseconds longestLease = std::chrono::hours(24) * 365 * 100;

// One holder's side of one lock.
struct LockTarget {
    LockClient* client;
    const LockDialect* dialect;
    HoldKey key;

    LockTarget(LockClient* lockClient, const LockDialect* lockDialect, HoldKey holdKey)
        : client(lockClient), dialect(lockDialect), key(std::move(holdKey)) {}

    [[nodiscard]] Deadline commandDeadline() const {
        return Deadline::in(client->clock(), client->options().commandTimeout);
    }
};

// The coroutines behind the handles, the same for every kind of lock: what differs is the dialect's. Static, with
// everything by value: a handle may be a temporary that is gone long before its call ends. Thread: the client's.
class LockCalls {
public:
    using Target = LockTarget;

    // What one acquire is about; copied into each coroutine that serves it.
    struct Call : Target {
        Milliseconds lease;
        Renewal renewal;
        std::stop_token stop;
        std::optional<Milliseconds> queueFor;  // how long a place in the queue is kept; nothing: does not queue

        Call(Target target, std::optional<Milliseconds> wantedLease, std::stop_token stopToken)
            : Target(std::move(target)),
              lease(wantedLease.value_or(client->options().watchdogTimeout)),
              renewal(wantedLease ? Renewal::FixedLease : Renewal::Watchdog),
              stop(std::move(stopToken)) {}
    };

    [[nodiscard]] static Task<Result<LockAttempt>> tryLock(Call call, Deadline waitUntil);
    [[nodiscard]] static Task<Result<ReleaseOutcome>> unlock(Target target);
    [[nodiscard]] static Task<Result<bool>> forceUnlock(Target target);
    // As unlock(), of a hold that nobody will ask for again: where the server cannot be reached, nothing renews it any
    // more, and it is settled when the server is back.
    [[nodiscard]] static Task<Result<ReleaseOutcome>> giveBack(Target target);
    // Sets the lease of a hold, from now on. NotHeld when the server does not name it any more.
    [[nodiscard]] static Task<Result<Done>> setLease(Target target, Milliseconds lease, std::stop_token stop);
    // Runs as long as the client lives.
    static void spawn(LockClient* client, Task<void> task) { client->m_scope.spawn(std::move(task)); }

private:
    static Completion<redis::RespValue> send(LockClient* client, const ScriptCall& script);
    static Completion<redis::RespValue> sendWhole(LockClient* client, const ScriptCall& script);

    // An acquire or a release is under way for as long as one of these lives.
    using UnderWay = std::shared_ptr<void>;
    template <typename OnLate>
    static UnderWay callBegan(const Target& target, const Completion<redis::RespValue>& reply, OnLate onLate);

    static Task<Result<LockAttempt>> tryWithReplicas(Call call, Deadline waitUntil);
    static Task<Result<Done>> waitForReplicas(Call call);
    static Task<Result<int>> replicasOf(Call call);
    static Task<void> giveBackSoon(Call call);

    static Task<Result<LockAttempt>> tryWithoutReplicas(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> attempt(Call call);
    static void onLateAttempt(const Call& call, const Result<redis::RespValue>& late);
    static Task<Result<LockAttempt>> attemptUntilAnswered(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryAndWait(Call call, Deadline waitUntil);
    static Task<Result<LockAttempt>> tryInQueue(Call call, Deadline waitUntil);
    static Task<void> leaveQueue(Call call);
    static Task<Result<LockAttempt>> waitForMessage(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<LockAttempt>> waitInTurns(Call call, Deadline waitUntil, LockAttempt last);
    static Task<Result<Done>> whenReady(Call call, Deadline waitUntil);

    static Error releaseFailed(const Target& target, LeaseTicket ticket, const Error& failure);

    static Task<Result<qint64>> settle(Target target, Deadline deadline, std::stop_token stop);
    static Task<void> settleInBackground(Target target);
    static Task<void> leaveQueueInBackground(Call call);
    static void giveBackInBackground(const Call& call);
};

}  // namespace lockkeeper::locks
