#include "locks/reentrantlock.h"

#include "locks/lockkeys.h"

#include <QScopeGuard>

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// protocol.md, "Release": wakes one waiter of each client.
const QByteArray unlockMessage = QByteArrayLiteral("0");

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

Error notHeld(const HoldKey& key) {
    return Error(ErrorCode::NotHeld,
                 QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: %2")
                     .arg(QString::fromLatin1(key.holder.client().bytes()))
                     .arg(static_cast<qint64>(key.holder.thread())));
}

}  // namespace

// The coroutines behind the handles. Static, with everything by value: a handle may be a temporary that is gone long before its
// call ends.
class ReentrantCalls {
public:
    // What one call is about; copied into each coroutine that serves it.
    struct Call {
        LockClient* client;
        HoldKey key;
        Milliseconds lease;
        Renewal renewal;
        std::stop_token stop;

        Call(LockClient* lockClient, HoldKey holdKey, std::optional<Milliseconds> wantedLease, std::stop_token stopToken)
            : client(lockClient),
              key(std::move(holdKey)),
              lease(wantedLease.value_or(lockClient->options().watchdogTimeout)),
              renewal(wantedLease ? Renewal::FixedLease : Renewal::Watchdog),
              stop(std::move(stopToken)) {}

        [[nodiscard]] Deadline commandDeadline() const { return Deadline::in(client->clock(), client->options().commandTimeout); }
    };

    // An acquire or a release is unanswered for as long as one of these lives: until its answer, however late, or its loss.
    static std::shared_ptr<void> countUnanswered(LockClient* client, const HoldKey& key) {
        ++client->m_unanswered[key];
        return std::shared_ptr<void>(nullptr, [client = QPointer(client), key](void*) {
            if (client && --client->m_unanswered[key] == 0)
                client->m_unanswered.remove(key);
        });
    }

    // ---- the four scripts; plain functions, because GCC 12 cannot compile braced lists inside a coroutine ----

    static Completion<redis::RespValue> sendAcquire(const Call& call) {
        return redis::runScript(call.client->m_commands, scripts().acquire, {call.key.name.bytes()},
                                {digits(call.lease.count()), call.key.holder.bytes()});
    }
    static Completion<redis::RespValue> sendRelease(LockClient* client, const HoldKey& key, Milliseconds lease) {
        return redis::runScript(client->m_commands, scripts().release, {key.name.bytes(), LockKeys(key.name).channel},
                                {unlockMessage, digits(lease.count()), key.holder.bytes()});
    }
    static Completion<redis::RespValue> sendSettle(LockClient* client, const HoldKey& key) {
        return redis::runScript(client->m_commands, scripts().settle, {key.name.bytes(), LockKeys(key.name).channel},
                                {unlockMessage, key.holder.bytes(), digits(client->m_held.count(key))});
    }
    static Completion<redis::RespValue> sendForce(LockClient* client, const LockName& name) {
        return redis::runScript(client->m_commands, scripts().force, {name.bytes(), LockKeys(name).channel}, {unlockMessage});
    }

    // ---- acquire ----

    // One try. A late answer that says "taken" is given back.
    static Task<Result<LockAttempt>> attempt(Call call) {
        LockClient& client = *call.client;
        const SteadyTime sentAt = client.clock().now();
        std::shared_ptr<void> unanswered = countUnanswered(call.client, call.key);
        const Completion<redis::RespValue> reply = sendAcquire(call);
        reply.whenAbandoned([alive = QPointer(call.client), key = call.key, unanswered](const Result<redis::RespValue>& late) mutable {
            unanswered.reset();
            const bool mayBeTaken = late ? late->isNull() : late.error().code == ErrorCode::OutcomeUnknown;
            if (alive && mayBeTaken)
                alive->m_scope.spawn(settleInBackground(alive, key));
        });
        const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
        if (!answer) {
            if (answer.error().code == ErrorCode::Timeout)
                co_return Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time"));
            co_return answer.error();
        }
        if (answer->isNull()) {
            client.holdAcquired(call.key, sentAt, call.lease, call.renewal);
            co_return acquiredNow();
        }
        if (!answer->isInteger())
            co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
        co_return heldByOther(answer->integer);
    }

    static Task<Result<LockAttempt>> tryLock(Call call, Deadline waitUntil) {
        if (call.lease < 1ms)
            co_return Error(ErrorCode::InvalidArgument, QStringLiteral("a lease must be at least 1 ms"));
        const Result<Done> ready = co_await whenReady(call, waitUntil);
        if (!ready)
            co_return ready.error();
        Result<LockAttempt> first = co_await attempt(call);
        if (!first && first.error().code == ErrorCode::OutcomeUnknown)
            call.client->m_scope.spawn(settleInBackground(call.client, call.key));
        if (!first || first->acquired() || waitUntil.hasPassed())
            co_return first;
        co_return co_await waitForIt(call, waitUntil, *first);
    }

    // Subscribed before the second try, so that no release between try and sleep goes unheard.
    static Task<Result<LockAttempt>> waitForIt(Call call, Deadline waitUntil, LockAttempt last) {
        const QByteArray channel = LockKeys(call.key.name).channel;
        const std::shared_ptr<UnlockListener> listener = call.client->m_signals.listen(channel);
        const Result<Done> subscribed = co_await listener->subscribed().wait(waitUntil, call.stop);
        if (!subscribed && subscribed.error().code == ErrorCode::Timeout)
            co_return last;
        if (!subscribed)
            co_return subscribed.error();
        for (;;) {
            const bool woken = listener->takeWake();
            const Result<LockAttempt> tried = co_await attemptAgain(call, waitUntil);
            if (!tried) {
                if (woken)
                    listener->returnWake();
                const bool inTime = tried.error().code != ErrorCode::Timeout;
                co_return inTime ? tried : Result<LockAttempt>(last);
            }
            last = *tried;
            if (last.acquired() || waitUntil.hasPassed())
                co_return last;
            const Result<Done> wake = co_await listener->nextWake().wait(wakeAtLatest(call, waitUntil, last), call.stop);
            if (!wake && wake.error().code != ErrorCode::Timeout)
                co_return wake.error();
            if (!wake && waitUntil.hasPassed())
                co_return last;
        }
    }

    // As attempt(), for one who is willing to wait: a lost connection is waited for, an unknown outcome settled, then it tries anew.
    // Timeout: waitUntil has passed over it.
    static Task<Result<LockAttempt>> attemptAgain(Call call, Deadline waitUntil) {
        for (;;) {
            Result<LockAttempt> tried = co_await attempt(call);
            if (tried)
                co_return tried;
            const ErrorCode code = tried.error().code;
            if (code == ErrorCode::OutcomeUnknown) {
                const Result<qint64> settled = co_await settle(call.client, call.key, waitUntil, call.stop);
                if (!settled) {
                    call.client->m_scope.spawn(settleInBackground(call.client, call.key));
                    co_return settled.error();
                }
            } else if (code == ErrorCode::ConnectionLost) {
                const Result<Done> ready = co_await call.client->m_commands.whenReady().wait(waitUntil, call.stop);
                if (!ready)
                    co_return ready.error();
            } else {
                co_return tried;
            }
        }
    }

    static Deadline wakeAtLatest(const Call& call, Deadline waitUntil, const LockAttempt& last) {
        if (!last.remaining)
            return waitUntil;
        // A TTL of 0 is a key about to go: not at once again, or a server whose clock stands still would be asked without end.
        return waitUntil.earlier(Deadline::in(call.client->clock(), std::max(*last.remaining, 1ms)));
    }

    static Task<Result<Done>> whenReady(Call call, Deadline waitUntil) {
        const Deadline command = call.commandDeadline();
        const Deadline later = waitUntil.time() > command.time() ? waitUntil : command;
        Result<Done> ready = co_await call.client->m_commands.whenReady().wait(later, call.stop);
        if (!ready && ready.error().code == ErrorCode::Timeout)
            co_return Error(ErrorCode::ConnectionLost, QStringLiteral("not connected: ") + call.client->m_commands.lastError().text);
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
        const SteadyTime sentAt = client->clock().now();
        const Hold* hold = client->m_held.find(key);
        const Milliseconds lease = hold ? hold->lease : client->options().watchdogTimeout;
        std::shared_ptr<void> unanswered = countUnanswered(client, key);
        const Completion<redis::RespValue> reply = sendRelease(client, key, lease);
        reply.whenAbandoned([alive = QPointer(client), key, unanswered](const Result<redis::RespValue>&) mutable {
            unanswered.reset();
            if (alive)
                alive->m_scope.spawn(settleInBackground(alive, key));
        });
        const Result<redis::RespValue> answer = co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
        if (!answer)
            co_return releaseFailed(client, key, sentAt, answer.error());
        if (answer->isNull()) {
            client->holdEnded(key);
            co_return notHeld(key);
        }
        if (answer->integer == 0) {
            client->holdReleasedOnce(key, sentAt);
            co_return ReleaseOutcome::StillHeld;
        }
        client->holdEnded(key);
        co_return ReleaseOutcome::Free;
    }

    // A release that may have happened counts as done here: the caller wants to be rid of that hold, nothing renews it any more,
    // and settling brings the server to the same count.
    static Error releaseFailed(LockClient* client, const HoldKey& key, SteadyTime sentAt, const Error& error) {
        const bool late = error.code == ErrorCode::Timeout;
        if (!late && error.code != ErrorCode::OutcomeUnknown)
            return error;
        client->holdReleasedOnce(key, sentAt);
        if (!late)
            client->m_scope.spawn(settleInBackground(client, key));
        return late ? Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time")) : error;
    }

    // ---- after a lost answer ----

    // Brings the server's count for this holder down to what the client believes, once every answer under way is known.
    static Task<Result<qint64>> settle(LockClient* client, HoldKey key, Deadline deadline, std::stop_token stop) {
        for (;;) {
            const Result<Done> ready = co_await client->m_commands.whenReady().wait(deadline, stop);
            if (!ready)
                co_return ready.error();
            if (client->m_unanswered.contains(key)) {
                const Result<Done> paused = co_await pause(client, 20ms, stop);
                if (!paused)
                    co_return paused.error();
                continue;
            }
            const Completion<redis::RespValue> reply = sendSettle(client, key);
            const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
            if (answer && answer->isInteger()) {
                client->holdSettled(key, answer->integer);
                co_return answer->integer;
            }
            const bool again = !answer && (answer.error().code == ErrorCode::OutcomeUnknown || answer.error().code == ErrorCode::ConnectionLost);
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

    static Task<Result<Done>> pause(LockClient* client, Milliseconds time, std::stop_token stop) {
        const Completion<Done> never;
        Result<Done> ended = co_await never.wait(Deadline::in(client->clock(), time), stop);
        if (!ended && ended.error().code == ErrorCode::Timeout)
            co_return Done();
        co_return ended;
    }

    // ---- questions ----

    static Task<Result<redis::RespValue>> ask(LockClient* client, redis::Command command) {
        const Completion<redis::RespValue> reply = client->m_commands.send(command);
        co_return co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
    }

    static Task<Result<bool>> askForCount(LockClient* client, redis::Command command) {
        const Result<redis::RespValue> answer = co_await ask(client, command);
        if (!answer)
            co_return answer.error();
        co_return answer->integer > 0;
    }

    static Task<Result<bool>> forceUnlock(LockClient* client, LockName name) {
        const Completion<redis::RespValue> reply = sendForce(client, name);
        const Result<redis::RespValue> answer = co_await reply.wait(Deadline::in(client->clock(), client->options().commandTimeout));
        if (!answer && answer.error().code == ErrorCode::Timeout)
            co_return Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time"));
        if (!answer)
            co_return answer.error();
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
        const Result<redis::RespValue> answer = co_await ask(client, command);
        if (!answer)
            co_return answer.error();
        std::optional<Milliseconds> remaining;
        if (answer->integer >= 0)
            remaining = Milliseconds(answer->integer);
        co_return remaining;
    }
};

ReentrantLock::ReentrantLock(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

Task<Result<LockAttempt>> ReentrantLock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                                 std::stop_token stop) const {
    return ReentrantCalls::tryLock(ReentrantCalls::Call(m_client, HoldKey(m_name, holder(thread)), lease, std::move(stop)), waitUntil);
}

Task<Result<Done>> ReentrantLock::lock(ThreadId thread, std::optional<Milliseconds> lease, std::stop_token stop) const {
    return ReentrantCalls::lock(ReentrantCalls::Call(m_client, HoldKey(m_name, holder(thread)), lease, std::move(stop)));
}

Task<Result<ReleaseOutcome>> ReentrantLock::unlock(ThreadId thread) const {
    return ReentrantCalls::unlock(m_client, HoldKey(m_name, holder(thread)));
}

Task<Result<bool>> ReentrantLock::forceUnlock() const {
    return ReentrantCalls::forceUnlock(m_client, m_name);
}

Task<Result<bool>> ReentrantLock::isLocked() const {
    return ReentrantCalls::askForCount(m_client, redis::Command("EXISTS", {m_name.bytes()}));
}

Task<Result<bool>> ReentrantLock::isHeldBy(HolderId holder) const {
    return ReentrantCalls::askForCount(m_client, redis::Command("HEXISTS", {m_name.bytes(), holder.bytes()}));
}

Task<Result<qint64>> ReentrantLock::holdCount(ThreadId thread) const {
    return ReentrantCalls::holdCount(m_client, HoldKey(m_name, holder(thread)));
}

Task<Result<std::optional<Milliseconds>>> ReentrantLock::remainingTime() const {
    return ReentrantCalls::remainingTime(m_client, m_name);
}

}  // namespace lockkeeper::locks
