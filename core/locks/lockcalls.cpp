#include "locks/lockcalls.h"

#include "locks/backoff.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// A write whose answer does not come in time may have happened.
Error unansweredIsUnknown(const Error& error) {
    if (error.code != ErrorCode::Timeout)
        return error;
    return Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time"));
}

Error notHeld(const HoldKey& key) {
    return Error(ErrorCode::NotHeld,
                 QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: %2")
                     .arg(QString::fromLatin1(key.holder.client().bytes()))
                     .arg(static_cast<qint64>(key.holder.thread())));
}

// Of a failed attempt and of why it was not tried again: the caller knows by himself that his time is over.
Error moreTelling(const Error& failure, const Error& whyNotAgain) {
    return whyNotAgain.code == ErrorCode::Cancelled ? whyNotAgain : failure;
}

// Of a command that was sent: whether the server may have done it nevertheless.
bool mayHaveHappened(const Error& error) {
    return error.code == ErrorCode::Timeout || error.code == ErrorCode::Cancelled ||
           error.code == ErrorCode::OutcomeUnknown;
}

// Of a command that may be repeated without harm: whether that is worth while.
bool wasLost(const Error& error) {
    return error.code == ErrorCode::OutcomeUnknown || error.code == ErrorCode::ConnectionLost;
}

}  // namespace

Completion<redis::RespValue> LockCalls::send(LockClient* client, const ScriptCall& script) {
    return redis::runScript(client->m_commands, script.script, script.keys, script.arguments);
}

// By EVAL: the second step that EVALSHA takes after NOSCRIPT could come after an acquire sent meanwhile, and undo it.
Completion<redis::RespValue> LockCalls::sendWhole(LockClient* client, const ScriptCall& script) {
    return client->m_commands.send(script.script.eval(script.keys, script.arguments));
}

// In the coroutine until it has noted the answer, and in the command until its answer, however late, or its loss.
template <typename OnLate>
LockCalls::UnderWay LockCalls::callBegan(const Target& target, const Completion<redis::RespValue>& reply,
                                         OnLate onLate) {
    target.client->callBegan(target.key);
    const UnderWay underWay(nullptr, [alive = QPointer(target.client), key = target.key](void*) {
        if (alive)
            alive->callEnded(key);
    });
    reply.whenAbandoned([alive = QPointer(target.client), onLate = std::move(onLate),
                         unanswered = UnderWay(underWay)](const Result<redis::RespValue>& late) mutable {
        unanswered.reset();
        if (alive)
            onLate(late);
    });
    return underWay;
}

// ---- acquire ----

// One try. What a late answer says was taken, be it the lock or a place in the queue, is given back.
Task<Result<LockAttempt>> LockCalls::attempt(Call call) {
    LockClient& client = *call.client;
    const SteadyTime deadline = client.clock().now() + call.lease;
    const LeaseTicket ticket = client.leaseSent(call.key, deadline, LeaseCause::Acquire);
    const Completion<redis::RespValue> reply =
        send(call.client, call.dialect->acquire(call.key, call.lease, call.queueFor));
    const UnderWay underWay =
        callBegan(call, reply, [call](const Result<redis::RespValue>& late) { onLateAttempt(call, late); });
    const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
    if (!answer) {
        if (!mayHaveHappened(answer.error()))
            client.m_held.leaseNotSet(call.key, ticket);
        co_return unansweredIsUnknown(answer.error());
    }
    const Result<LockAttempt> attempt = call.dialect->attemptOf(*answer);
    if (attempt && attempt->acquired())
        client.holdAcquired(call.key, ticket, deadline, call.lease, call.renewal);
    else
        client.m_held.leaseNotSet(call.key, ticket);
    co_return attempt;
}

void LockCalls::onLateAttempt(const Call& call, const Result<redis::RespValue>& late) {
    if (!late && !mayHaveHappened(late.error()))
        return;
    if (late) {
        const Result<LockAttempt> attempt = call.dialect->attemptOf(*late);
        const bool leftNothing = !attempt || (!attempt->acquired() && !call.queueFor);
        if (leftNothing)
            return;
    }
    giveBackInBackground(call);
}

Task<Result<LockAttempt>> LockCalls::tryLock(Call call, Deadline waitUntil) {
    if (call.client->options().replicasToWaitFor > 0)
        return tryWithReplicas(std::move(call), waitUntil);
    return tryWithoutReplicas(std::move(call), waitUntil);
}

// ---- replicas: a lock that only a failing master knows of is none ----

Task<Result<LockAttempt>> LockCalls::tryWithReplicas(Call call, Deadline waitUntil) {
    const Result<LockAttempt> taken = co_await tryWithoutReplicas(call, waitUntil);
    if (!taken || !taken->acquired())
        co_return taken;
    const Result<Done> replicated = co_await waitForReplicas(call);
    if (replicated)
        co_return taken;
    const bool hurry = replicated.error().code == ErrorCode::Cancelled;
    if (hurry)
        call.client->m_scope.spawn(giveBackSoon(call));
    else
        co_await giveBackSoon(call);
    co_return replicated.error();
}

Task<void> LockCalls::giveBackSoon(Call call) {
    const Result<ReleaseOutcome> released = co_await giveBack(call);
    Q_UNUSED(released)
}

Task<Result<Done>> LockCalls::waitForReplicas(Call call) {
    const Result<int> replicas = co_await replicasOf(call);
    if (!replicas)
        co_return replicas.error();
    const int wanted = std::min(*replicas, call.client->options().replicasToWaitFor);
    if (wanted == 0)
        co_return Done();
    redis::Command wait("WAIT");
    wait.arg(wanted).arg(call.client->options().replicaTimeout.count());
    const Completion<redis::RespValue> reply = call.client->m_commands.send(wait);
    const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
    if (!answer)
        co_return answer.error();
    if (!answer->isInteger())
        co_return redis::unexpectedReply(wait, *answer);
    if (answer->integer >= wanted)
        co_return Done();
    co_return Error(ErrorCode::Timeout,
                    QStringLiteral("only %1 of %2 replicas have acknowledged the lock; it was given back")
                        .arg(answer->integer)
                        .arg(wanted));
}

// Asked once for each connection.
Task<Result<int>> LockCalls::replicasOf(Call call) {
    if (call.client->m_replicas)
        co_return *call.client->m_replicas;
    redis::Command info("INFO");
    info.arg("replication");
    const Completion<redis::RespValue> reply = call.client->m_commands.send(info);
    const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
    if (!answer)
        co_return answer.error();
    const QByteArray mark = "connected_slaves:";
    const qsizetype at = answer->bytes.indexOf(mark);
    const QByteArray number = answer->bytes.mid(at + mark.size()).left(10);
    const int replicas = at < 0 ? 0 : number.left(number.indexOf('\r')).toInt();
    call.client->m_replicas = replicas;
    co_return replicas;
}

Task<Result<LockAttempt>> LockCalls::tryWithoutReplicas(Call call, Deadline waitUntil) {
    if (call.lease < shortestLease || call.lease > longestLease)
        co_return Error(ErrorCode::InvalidArgument,
                        QStringLiteral("a lease must be at least 1 ms and at most 100 years"));
    const Result<Done> ready = co_await whenReady(call, waitUntil);
    if (!ready)
        co_return ready.error();
    if (waitUntil.hasPassed() || !call.dialect->hasQueue())
        co_return co_await tryAndWait(call, waitUntil);
    call.queueFor = call.client->options().fairLockWaitTimeout;
    if (!waitUntil.isNever())
        call.queueFor = std::clamp(std::chrono::ceil<Milliseconds>(waitUntil.time() - call.client->clock().now()),
                                   shortestLease, longestLease);
    co_return co_await tryInQueue(call, waitUntil);
}

// Whoever does not get the lock must not keep its place in the queue.
Task<Result<LockAttempt>> LockCalls::tryInQueue(Call call, Deadline waitUntil) {
    LockClient* client = call.client;
    client->queueJoined(call.key);
    const Result<LockAttempt> tried = co_await tryAndWait(call, waitUntil);
    client->queueLeft(call.key);
    const bool taken = tried && tried->acquired();
    if (!taken && !client->isQueued(call.key))
        co_await leaveQueue(call);
    co_return tried;
}

Task<void> LockCalls::leaveQueue(Call call) {
    const Completion<redis::RespValue> reply =
        sendWhole(call.client, *call.dialect->leaveQueue(call.key, *call.queueFor));
    reply.whenAbandoned([alive = QPointer(call.client), call](const Result<redis::RespValue>& late) {
        if (alive && !late && wasLost(late.error()))
            alive->m_scope.spawn(leaveQueueInBackground(call));
    });
    const Result<redis::RespValue> answer = co_await reply.wait(call.commandDeadline(), call.stop);
    if (!answer && wasLost(answer.error()))
        call.client->m_scope.spawn(leaveQueueInBackground(call));
}

Task<Result<LockAttempt>> LockCalls::tryAndWait(Call call, Deadline waitUntil) {
    const Result<LockAttempt> first = co_await attemptUntilAnswered(call, waitUntil);
    if (!first || first->acquired() || waitUntil.hasPassed())
        co_return first;
    if (call.dialect->channel(call.key))
        co_return co_await waitForMessage(call, waitUntil, *first);
    co_return co_await waitInTurns(call, waitUntil, *first);
}

// Subscribed before the second try, so that no release between try and sleep goes unheard.
Task<Result<LockAttempt>> LockCalls::waitForMessage(Call call, Deadline waitUntil, LockAttempt last) {
    const std::shared_ptr<UnlockListener> listener = call.client->m_signals.listen(*call.dialect->channel(call.key));
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
        Deadline wakeAtLatest = waitUntil;
        // A TTL of 0 is a key about to go: not at once again, or a server whose clock stands still would be asked
        // without end.
        if (last.remaining)
            wakeAtLatest = waitUntil.earlier(Deadline::in(call.client->clock(), std::max(*last.remaining, 1ms)));
        const Result<Done> wake = co_await listener->nextWake().wait(wakeAtLatest, call.stop);
        if (!wake && wake.error().code != ErrorCode::Timeout)
            co_return wake.error();
        if (!wake && waitUntil.hasPassed())
            co_return last;
    }
}

// Nobody will tell: looks again by itself, ever less often.
Task<Result<LockAttempt>> LockCalls::waitInTurns(Call call, Deadline waitUntil, LockAttempt last) {
    BackOff backOff;
    for (;;) {
        const Deadline next = waitUntil.earlier(Deadline::in(call.client->clock(), backOff.next()));
        const Completion<Done> pause;
        const std::function<void()> end = [pause] {
            pause.complete(Error(ErrorCode::ConnectionLost, QStringLiteral("the lock client was closed")));
        };
        const std::stop_callback onClosed(call.client->m_scope.stopToken(), end);
        const Result<Done> paused = co_await pause.wait(next, call.stop);
        if (paused.error().code != ErrorCode::Timeout)
            co_return paused.error();
        if (waitUntil.hasPassed())
            co_return last;
        const Result<LockAttempt> tried = co_await attemptUntilAnswered(call, waitUntil);
        if (!tried || tried->acquired())
            co_return tried;
        last = *tried;
    }
}

// As attempt(), but up to waitUntil a lost connection is waited for, and an unknown outcome settled, and then it tries
// anew.
Task<Result<LockAttempt>> LockCalls::attemptUntilAnswered(Call call, Deadline waitUntil) {
    for (;;) {
        Result<LockAttempt> tried = co_await attempt(call);
        if (tried)
            co_return tried;
        const Error failure = tried.error();
        if (failure.code == ErrorCode::OutcomeUnknown) {
            const Result<qint64> settled = co_await settle(call, waitUntil, call.stop);
            if (!settled) {
                giveBackInBackground(call);
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

Task<Result<Done>> LockCalls::whenReady(Call call, Deadline waitUntil) {
    const Deadline command = call.commandDeadline();
    const Deadline later = waitUntil.time() > command.time() ? waitUntil : command;
    Result<Done> ready = co_await call.client->m_commands.whenReady().wait(later, call.stop);
    if (!ready && ready.error().code == ErrorCode::Timeout)
        co_return Error(ErrorCode::ConnectionLost,
                        QStringLiteral("not connected: ") + call.client->m_commands.lastError().text);
    co_return ready;
}

// ---- release ----

Task<Result<ReleaseOutcome>> LockCalls::unlock(Target target) {
    LockClient* client = target.client;
    const Hold* hold = client->m_held.find(target.key);
    const Milliseconds lease = hold ? hold->lease : client->options().watchdogTimeout;
    const SteadyTime deadline = client->clock().now() + lease;
    const LeaseTicket ticket = client->leaseSent(target.key, deadline, LeaseCause::Release);
    const Completion<redis::RespValue> reply = send(client, target.dialect->release(target.key, lease));
    const UnderWay underWay = callBegan(target, reply, [target](const Result<redis::RespValue>& late) {
        const bool isGivenBack = late && late->isInteger();
        if (!isGivenBack)
            target.client->m_scope.spawn(settleInBackground(target));
    });
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline());
    if (!answer)
        co_return releaseFailed(target, ticket, answer.error());
    if (answer->isNull()) {
        client->holdEnded(target.key);
        co_return notHeld(target.key);
    }
    if (!answer->isInteger())
        co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
    if (answer->integer == 0) {
        client->leaseSet(target.key, ticket, deadline, LeaseCause::Release);
        client->holdReleasedOnce(target.key);
        co_return ReleaseOutcome::StillHeld;
    }
    client->holdEnded(target.key);
    co_return ReleaseOutcome::Free;
}

// A release that may have happened counts as done here: the caller wants to be rid of that hold, and settling brings
// the server to the same count.
Error LockCalls::releaseFailed(const Target& target, LeaseTicket ticket, const Error& failure) {
    LockClient* client = target.client;
    if (!mayHaveHappened(failure)) {
        client->m_held.leaseNotSet(target.key, ticket);
        return failure;
    }
    client->holdReleasedOnce(target.key);
    const bool answerMayCome = failure.code == ErrorCode::Timeout;  // and is settled when it has
    if (!answerMayCome)
        client->m_scope.spawn(settleInBackground(target));
    return unansweredIsUnknown(failure);
}

Task<Result<ReleaseOutcome>> LockCalls::giveBack(Target target) {
    const Result<ReleaseOutcome> released = co_await unlock(target);
    if (!released && released.error().code == ErrorCode::ConnectionLost) {
        target.client->holdReleasedOnce(target.key);
        target.client->m_scope.spawn(settleInBackground(target));
    }
    co_return released;
}

Task<Result<Done>> LockCalls::setLease(Target target, Milliseconds lease, std::stop_token stop) {
    LockClient* client = target.client;
    const SteadyTime deadline = client->clock().now() + lease;
    const LeaseTicket ticket = client->leaseSent(target.key, deadline, LeaseCause::Renewal);
    const std::vector<HoldKey> holds(1, target.key);
    const Completion<redis::RespValue> reply = send(client, renewalOf(holds, lease));
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline(), stop);
    if (!answer) {
        if (!mayHaveHappened(answer.error()))
            client->m_held.leaseNotSet(target.key, ticket);
        co_return unansweredIsUnknown(answer.error());
    }
    if (answer->items.size() != 1 || answer->items.front().integer != 1) {
        client->holdEnded(target.key);
        co_return notHeld(target.key);
    }
    client->holdLeased(target.key, ticket, deadline, lease);
    co_return Done();
}

Task<Result<bool>> LockCalls::forceUnlock(Target target) {
    const Completion<redis::RespValue> reply = send(target.client, target.dialect->force(target.key.name));
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline());
    if (!answer)
        co_return unansweredIsUnknown(answer.error());
    if (!answer->isInteger())
        co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
    co_return answer->integer == 1;
}

// ---- after a lost answer ----

// Brings the server's count for this holder down to what the client believes, once every answer under way is known.
Task<Result<qint64>> LockCalls::settle(Target target, Deadline deadline, std::stop_token stop) {
    LockClient* client = target.client;
    for (;;) {
        const Result<Done> ready = co_await client->m_commands.whenReady().wait(deadline, stop);
        if (!ready)
            co_return ready.error();
        if (client->hasCallsUnderWay(target.key)) {
            const Result<Done> answered = co_await client->whenCallsEnded(target.key).wait(deadline, stop);
            if (!answered)
                co_return answered.error();
            continue;
        }
        const Completion<redis::RespValue> reply =
            sendWhole(client, target.dialect->settle(target.key, client->m_held.count(target.key)));
        const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
        if (answer && answer->isInteger()) {
            client->holdSettled(target.key, answer->integer);
            co_return answer->integer;
        }
        if (answer)
            co_return redis::unexpectedReply(redis::Command("EVAL"), *answer);
        if (!wasLost(answer.error()))
            co_return answer.error();
    }
}

// For as long as a stray hold could live: nothing renews it, so its lease ends it in any case.
Task<void> LockCalls::settleInBackground(Target target) {
    const Milliseconds longest = std::max(target.client->options().watchdogTimeout, Milliseconds(60s));
    const std::stop_token stop = target.client->m_scope.stopToken();
    const Result<qint64> settled = co_await settle(target, Deadline::in(target.client->clock(), longest), stop);
    Q_UNUSED(settled)
}

// For as long as the place would be kept. Nobody may queue up for this holder meanwhile.
Task<void> LockCalls::leaveQueueInBackground(Call call) {
    const std::stop_token stop = call.client->m_scope.stopToken();
    const Deadline deadline = Deadline::in(call.client->clock(), *call.queueFor);
    for (;;) {
        const Result<Done> ready = co_await call.client->m_commands.whenReady().wait(deadline, stop);
        if (!ready || call.client->isQueued(call.key))
            co_return;
        const Completion<redis::RespValue> reply =
            sendWhole(call.client, *call.dialect->leaveQueue(call.key, *call.queueFor));
        const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
        if (answer || !wasLost(answer.error()))
            co_return;
    }
}

void LockCalls::giveBackInBackground(const Call& call) {
    LockClient* client = call.client;
    client->m_scope.spawn(settleInBackground(call));
    if (call.queueFor)
        client->m_scope.spawn(leaveQueueInBackground(call));
}

}  // namespace lockkeeper::locks
