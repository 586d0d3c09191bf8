#include "locks/reentrantlock.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// protocol.md, "Release": wakes one waiter of each client.
const QByteArray unlockMessage = QByteArrayLiteral("0");

// The server refuses an expiry that overflows its clock only after the hold was written, which would leave a lock for
// ever.
constexpr Milliseconds shortestLease = 1ms;
constexpr Milliseconds longestLease = 24h * 365 * 100;

struct Scripts {
    redis::Script acquire = redis::Script::embedded(QStringLiteral("locks/lua/reentrant_acquire.lua"));
    redis::Script release = redis::Script::embedded(QStringLiteral("locks/lua/reentrant_release.lua"));
    redis::Script force = redis::Script::embedded(QStringLiteral("locks/lua/reentrant_force.lua"));
    redis::Script settle = redis::Script::embedded(QStringLiteral("locks/lua/reentrant_settle.lua"));
};

const Scripts& scripts() {
    static const Scripts all;
    return all;
}

QByteArray digits(qint64 number) {
    return QByteArray::number(number);
}

LockAttempt heldByOther(qint64 pttl) {
    LockAttempt attempt;
    if (pttl >= 0)
        attempt.remaining = Milliseconds(pttl);
    return attempt;
}

LockAttempt acquiredNow() {
    LockAttempt attempt;
    attempt.outcome = LockAttempt::Outcome::Acquired;
    return attempt;
}

// A write whose answer does not come in time may have happened.
Error unansweredIsUnknown(const Error& error) {
    if (error.code != ErrorCode::Timeout)
        return error;
    return Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time"));
}

// Of a command that was sent: whether the server may have done it nevertheless.
bool mayHaveHappened(const Error& error) {
    return error.code == ErrorCode::Timeout || error.code == ErrorCode::Cancelled ||
           error.code == ErrorCode::OutcomeUnknown;
}

Error notHeld(const HoldKey& key) {
    return Error(ErrorCode::NotHeld,
                 QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: %2")
                     .arg(QString::fromLatin1(key.holder.client().bytes()))
                     .arg(static_cast<qint64>(key.holder.thread())));
}

}  // namespace

// The coroutines behind the handles. Static, with everything by value: a handle may be a temporary that is gone long
// before its call ends.
class ReentrantCalls {
public:
    // What one call is about; copied into each coroutine that serves it.
    struct Call {
        LockClient* client;
        HoldKey key;
        Milliseconds lease;
        Renewal renewal;
        std::stop_token stop;

        Call(LockClient* lockClient, HoldKey holdKey, std::optional<Milliseconds> wantedLease,
             std::stop_token stopToken)
            : client(lockClient),
              key(std::move(holdKey)),
              lease(wantedLease.value_or(lockClient->options().watchdogTimeout)),
              renewal(wantedLease ? Renewal::FixedLease : Renewal::Watchdog),
              stop(std::move(stopToken)) {}

        [[nodiscard]] Deadline commandDeadline() const {
            return Deadline::in(client->clock(), client->options().commandTimeout);
        }
    };

    // An acquire or a release is under way for as long as one of these lives: in the coroutine until it has noted the
    // answer, and in the command until its answer, however late, or its loss. A late answer is settled where that is
    // needed.
    using UnderWay = std::shared_ptr<void>;
    using NeedsSettling = bool (*)(const Result<redis::RespValue>& late);

    static UnderWay callBegan(LockClient* client, const HoldKey& key, const Completion<redis::RespValue>& reply,
                              NeedsSettling needsSettling) {
        client->callBegan(key);
        const UnderWay underWay(nullptr, [alive = QPointer(client), key](void*) {
            if (alive)
                alive->callEnded(key);
        });
        reply.whenAbandoned([alive = QPointer(client), key, needsSettling,
                             unanswered = UnderWay(underWay)](const Result<redis::RespValue>& late) mutable {
            unanswered.reset();
            if (alive && needsSettling(late))
                alive->m_scope.spawn(settleInBackground(alive, key));
        });
        return underWay;
    }

    static bool mayBeTaken(const Result<redis::RespValue>& late) {
        return late ? late->isNull() : mayHaveHappened(late.error());
    }
    static bool isNotGivenBack(const Result<redis::RespValue>& late) { return !late || !late->isInteger(); }

    // ---- the four scripts; plain functions, because GCC 12 cannot compile braced lists inside a coroutine ----

    static Completion<redis::RespValue> sendAcquire(const Call& call) {
        return redis::runScript(call.client->m_commands, scripts().acquire, {call.key.name.bytes()},
                                {digits(call.lease.count()), call.key.holder.bytes()});
    }
    static Completion<redis::RespValue> sendRelease(LockClient* client, const HoldKey& key, Milliseconds lease) {
        return redis::runScript(client->m_commands, scripts().release, {key.name.bytes(), unlockChannel(key.name)},
                                {unlockMessage, digits(lease.count()), key.holder.bytes()});
    }
    // By EVAL: the second step that EVALSHA takes after NOSCRIPT could come after an acquire sent meanwhile, and undo
    // it.
    static Completion<redis::RespValue> sendSettle(LockClient* client, const HoldKey& key) {
        return client->m_commands.send(
            scripts().settle.eval({key.name.bytes(), unlockChannel(key.name)},
                                  {unlockMessage, key.holder.bytes(), digits(client->m_held.count(key))}));
    }
    static Completion<redis::RespValue> sendForce(LockClient* client, const LockName& name) {
        return redis::runScript(client->m_commands, scripts().force, {name.bytes(), unlockChannel(name)},
                                {unlockMessage});
    }

    // ---- acquire ----

    // One try. A late answer that says "taken" is given back.
    static Task<Result<LockAttempt>> attempt(Call call) {
        LockClient& client = *call.client;
        const SteadyTime deadline = client.clock().now() + call.lease;
        const LeaseTicket ticket = client.leaseSent(call.key, deadline);
        const Completion<redis::RespValue> reply = sendAcquire(call);
        const UnderWay underWay = callBegan(call.client, call.key, reply, mayBeTaken);
        const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
        if (answer && answer->isNull()) {
            client.holdAcquired(call.key, ticket, deadline, call.lease, call.renewal);
            co_return acquiredNow();
        }
        if (answer || !mayHaveHappened(answer.error()))
            client.m_held.leaseNotSet(call.key, ticket);
        if (!answer)
            co_return unansweredIsUnknown(answer.error());
        if (!answer->isInteger())
            co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
        co_return heldByOther(answer->integer);
    }

    static Task<Result<LockAttempt>> tryLock(Call call, Deadline waitUntil) {
        if (call.lease < shortestLease || call.lease > longestLease)
            co_return Error(ErrorCode::InvalidArgument,
                            QStringLiteral("a lease must be at least 1 ms and at most 100 years"));
        const Result<Done> ready = co_await whenReady(call, waitUntil);
        if (!ready)
            co_return ready.error();
        const Result<LockAttempt> first = co_await attemptUntilAnswered(call, waitUntil);
        if (!first || first->acquired() || waitUntil.hasPassed())
            co_return first;
        co_return co_await waitForIt(call, waitUntil, *first);
    }

    // Subscribed before the second try, so that no release between try and sleep goes unheard.
    static Task<Result<LockAttempt>> waitForIt(Call call, Deadline waitUntil, LockAttempt last) {
        const QByteArray channel = unlockChannel(call.key.name);
        const std::shared_ptr<UnlockListener> listener = call.client->m_signals.listen(channel);
        const Result<Done> subscribed = co_await listener->subscribed().wait(waitUntil, call.stop);
        if (!subscribed && subscribed.error().code == ErrorCode::Timeout)
            co_return last;
        if (!subscribed)
            co_return subscribed.error();
        for (;;) {
            const bool woken = listener->takeWake();
            const Result<LockAttempt> tried = co_await attemptUntilAnswered(call, waitUntil);
            if (!tried) {
                if (woken)
                    listener->returnWake();
                co_return tried;
            }
            last = *tried;
            if (last.acquired() || waitUntil.hasPassed())
                co_return last;
            const Result<Done> wake =
                co_await listener->nextWake().wait(wakeAtLatest(call, waitUntil, last), call.stop);
            if (!wake && wake.error().code != ErrorCode::Timeout)
                co_return wake.error();
            if (!wake && waitUntil.hasPassed())
                co_return last;
        }
    }

    // As attempt(), but up to waitUntil a lost connection is waited for, and an unknown outcome settled, and then it
    // tries anew.
    static Task<Result<LockAttempt>> attemptUntilAnswered(Call call, Deadline waitUntil) {
        for (;;) {
            Result<LockAttempt> tried = co_await attempt(call);
            if (tried)
                co_return tried;
            const Error failure = tried.error();
            if (failure.code == ErrorCode::OutcomeUnknown) {
                const Result<qint64> settled = co_await settle(call.client, call.key, waitUntil, call.stop);
                if (!settled) {
                    call.client->m_scope.spawn(settleInBackground(call.client, call.key));
                    co_return moreTelling(failure, settled.error());
                }
            } else if (failure.code == ErrorCode::ConnectionLost) {
                const Result<Done> ready = co_await call.client->m_commands.whenReady().wait(waitUntil, call.stop);
                if (!ready)
                    co_return moreTelling(failure, ready.error());
            } else {
                co_return tried;
            }
        }
    }

    // Of a failed attempt and of why it was not tried again: the caller knows by himself that his time is over.
    static Error moreTelling(const Error& failure, const Error& whyNotAgain) {
        return whyNotAgain.code == ErrorCode::Cancelled ? whyNotAgain : failure;
    }

    static Deadline wakeAtLatest(const Call& call, Deadline waitUntil, const LockAttempt& last) {
        if (!last.remaining)
            return waitUntil;
        // A TTL of 0 is a key about to go: not at once again, or a server whose clock stands still would be asked
        // without end.
        return waitUntil.earlier(Deadline::in(call.client->clock(), std::max(*last.remaining, 1ms)));
    }

    static Task<Result<Done>> whenReady(Call call, Deadline waitUntil) {
        const Deadline command = call.commandDeadline();
        const Deadline later = waitUntil.time() > command.time() ? waitUntil : command;
        Result<Done> ready = co_await call.client->m_commands.whenReady().wait(later, call.stop);
        if (!ready && ready.error().code == ErrorCode::Timeout)
            co_return Error(ErrorCode::ConnectionLost,
                            QStringLiteral("not connected: ") + call.client->m_commands.lastError().text);
        co_return ready;
    }

    static Task<Result<Done>> lock(Call call) {
        const Result<LockAttempt> taken = co_await tryLock(call, Deadline::never(call.client->clock()));
        if (!taken)
            co_return taken.error();
        co_return Done();
    }

    // ---- release ----

    static Task<Result<ReleaseOutcome>> unlock(LockClient* client, HoldKey key) {
        const Hold* hold = client->m_held.find(key);
        const Milliseconds lease = hold ? hold->lease : client->options().watchdogTimeout;
        const SteadyTime deadline = client->clock().now() + lease;
        const LeaseTicket ticket = client->leaseSent(key, deadline);
        const Completion<redis::RespValue> reply = sendRelease(client, key, lease);
        const UnderWay underWay = callBegan(client, key, reply, isNotGivenBack);
        const Result<redis::RespValue> answer =
            co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
        if (!answer)
            co_return releaseFailed(client, key, ticket, answer.error());
        if (answer->isNull()) {
            client->holdEnded(key);
            co_return notHeld(key);
        }
        if (!answer->isInteger())
            co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
        if (answer->integer == 0) {
            client->leaseSet(key, ticket, deadline);
            client->holdReleasedOnce(key);
            co_return ReleaseOutcome::StillHeld;
        }
        client->holdEnded(key);
        co_return ReleaseOutcome::Free;
    }

    // A release that may have happened counts as done here: the caller wants to be rid of that hold, and settling
    // brings the server to the same count.
    static Error releaseFailed(LockClient* client, const HoldKey& key, LeaseTicket ticket, const Error& failure) {
        if (!mayHaveHappened(failure)) {
            client->m_held.leaseNotSet(key, ticket);
            return failure;
        }
        client->holdReleasedOnce(key);
        const bool answerMayCome = failure.code == ErrorCode::Timeout;  // and is settled when it has
        if (!answerMayCome)
            client->m_scope.spawn(settleInBackground(client, key));
        return unansweredIsUnknown(failure);
    }

    // ---- after a lost answer ----

    // Brings the server's count for this holder down to what the client believes, once every answer under way is known.
    static Task<Result<qint64>> settle(LockClient* client, HoldKey key, Deadline deadline, std::stop_token stop) {
        for (;;) {
            const Result<Done> ready = co_await client->m_commands.whenReady().wait(deadline, stop);
            if (!ready)
                co_return ready.error();
            if (client->hasCallsUnderWay(key)) {
                const Result<Done> answered = co_await client->whenCallsEnded(key).wait(deadline, stop);
                if (!answered)
                    co_return answered.error();
                continue;
            }
            const Completion<redis::RespValue> reply = sendSettle(client, key);
            const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
            if (answer && answer->isInteger()) {
                client->holdSettled(key, answer->integer);
                co_return answer->integer;
            }
            const bool again = !answer && (answer.error().code == ErrorCode::OutcomeUnknown ||
                                           answer.error().code == ErrorCode::ConnectionLost);
            if (!again)
                co_return answer ? redis::unexpectedReply(redis::Command("EVALSHA"), *answer) : answer.error();
        }
    }

    // For as long as a stray hold could live: nothing renews it, so its lease ends it in any case.
    static Task<void> settleInBackground(LockClient* client, HoldKey key) {
        const Milliseconds longest = std::max(client->options().watchdogTimeout, Milliseconds(60s));
        const std::stop_token stop = client->m_scope.stopToken();
        const Result<qint64> settled = co_await settle(client, key, Deadline::in(client->clock(), longest), stop);
        Q_UNUSED(settled)
    }

    // ---- questions ----

    static Task<Result<redis::RespValue>> ask(LockClient* client, redis::Command command) {
        const Completion<redis::RespValue> reply = client->m_commands.send(command);
        co_return co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
    }

    static Task<Result<qint64>> askForNumber(LockClient* client, redis::Command command) {
        const Result<redis::RespValue> answer = co_await ask(client, command);
        if (!answer)
            co_return answer.error();
        if (!answer->isInteger())
            co_return redis::unexpectedReply(command, *answer);
        co_return answer->integer;
    }

    static Task<Result<bool>> askWhether(LockClient* client, redis::Command command) {
        const Result<qint64> number = co_await askForNumber(client, command);
        if (!number)
            co_return number.error();
        co_return *number > 0;
    }

    static Task<Result<bool>> forceUnlock(LockClient* client, LockName name) {
        const Completion<redis::RespValue> reply = sendForce(client, name);
        const Result<redis::RespValue> answer =
            co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
        if (!answer)
            co_return unansweredIsUnknown(answer.error());
        if (!answer->isInteger())
            co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
        co_return answer->integer == 1;
    }

    static Task<Result<qint64>> holdCount(LockClient* client, HoldKey key) {
        redis::Command command("HGET");
        command.arg(key.name.bytes()).arg(key.holder.bytes());
        const Result<redis::RespValue> answer = co_await ask(client, command);
        if (!answer)
            co_return answer.error();
        co_return answer->isNull() ? qint64{0} : answer->bytes.toLongLong();
    }

    static Task<Result<std::optional<Milliseconds>>> remainingTime(LockClient* client, LockName name) {
        redis::Command command("PTTL");
        command.arg(name.bytes());
        const Result<qint64> pttl = co_await askForNumber(client, command);
        if (!pttl)
            co_return pttl.error();
        std::optional<Milliseconds> remaining;
        if (*pttl >= 0)
            remaining = Milliseconds(*pttl);
        co_return remaining;
    }
};

ReentrantLock::ReentrantLock(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

Task<Result<LockAttempt>> ReentrantLock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                                 std::stop_token stop) const {
    return ReentrantCalls::tryLock(
        ReentrantCalls::Call(m_client, HoldKey(m_name, holder(thread)), lease, std::move(stop)), waitUntil);
}

Task<Result<Done>> ReentrantLock::lock(ThreadId thread, std::optional<Milliseconds> lease, std::stop_token stop) const {
    return ReentrantCalls::lock(
        ReentrantCalls::Call(m_client, HoldKey(m_name, holder(thread)), lease, std::move(stop)));
}

Task<Result<ReleaseOutcome>> ReentrantLock::unlock(ThreadId thread) const {
    return ReentrantCalls::unlock(m_client, HoldKey(m_name, holder(thread)));
}

Task<Result<bool>> ReentrantLock::forceUnlock() const {
    return ReentrantCalls::forceUnlock(m_client, m_name);
}

Task<Result<bool>> ReentrantLock::isLocked() const {
    return ReentrantCalls::askWhether(m_client, redis::Command("EXISTS", {m_name.bytes()}));
}

Task<Result<bool>> ReentrantLock::isHeldBy(HolderId holder) const {
    return ReentrantCalls::askWhether(m_client, redis::Command("HEXISTS", {m_name.bytes(), holder.bytes()}));
}

Task<Result<qint64>> ReentrantLock::holdCount(ThreadId thread) const {
    return ReentrantCalls::holdCount(m_client, HoldKey(m_name, holder(thread)));
}

Task<Result<std::optional<Milliseconds>>> ReentrantLock::remainingTime() const {
    return ReentrantCalls::remainingTime(m_client, m_name);
}

}  // namespace lockkeeper::locks
