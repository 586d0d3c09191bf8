// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/settling.h"

#include "async/pause.h"
#include "locks/calls/backoff.h"
#include "locks/calls/fate.h"
#include "locks/calls/refusedrelease.h"
#include "locks/calls/unsettled.h"
#include "locks/lockclientstate.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

// Uses EVAL. EVALSHA may need a second step after NOSCRIPT, which could run after a later acquire and undo it. For the
// same reason the script does not follow a slot that has moved: the caller tries again.
Completion<redis::RespValue> Settling::send(const LockTarget& target, const ScriptCall& script) {
    return target.client->state().commands().evalOnce(target.key.name.bytes(), script);
}

// A node that refuses the script is not asked again at once.
Task<void> Settling::pauseAfter(LockTarget target, Error failure, std::chrono::microseconds pause, Deadline deadline,
                                std::stop_token stop) {
    if (!redis::isRefusedByNode(failure) && failure.reply != ReplyKind::ReadOnly)
        co_return;
    (void)co_await pauseUntil(deadline.earlier(Deadline::in(target.client->clock(), pause)), stop);
}

Task<Result<qint64>> Settling::settle(LockTarget target, Deadline deadline, std::stop_token stop) {
    LockClient* client = target.client;
    BackOff backOff = BackOff::forRefusals();
    for (;;) {
        const Result<Done> ready =
            co_await client->state().commands().whenReady(target.key.name.bytes()).wait(deadline, stop);
        if (!ready)
            co_return ready.error();
        if (client->state().underWay().any(target.key)) {
            const Result<Done> answered = co_await client->state().underWay().whenNone(target.key).wait(deadline, stop);
            if (!answered)
                co_return answered.error();
            continue;
        }
        const Completion<redis::RespValue> reply =
            send(target, target.dialect->settle(target.key, client->state().held().count(target.key)));
        const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
        if (answer && answer->isInteger()) {
            client->state().tracking().check(target.key.name);
            client->state().holdSettled(target.key, answer->integer);
            co_return answer->integer;
        }
        if (answer)
            co_return redis::unexpectedReply(redis::Command("EVAL"), *answer);
        if (!wasLostOrDemoted(answer.error()))
            co_return answer.error();
        co_await pauseAfter(target, answer.error(), backOff.next(), deadline, stop);
    }
}

void Settling::settleInBackground(const LockTarget& target, Milliseconds lease) {
    target.client->state().scope().spawn(settleUntilAnswered(target, lease));
}

// Retries however long the server is unreachable: the leftover hold is not renewed, but its lease may be long.
Task<void> Settling::settleUntilAnswered(LockTarget target, Milliseconds lease) {
    RefusedRelease release(target.client, target.key, lease);
    const std::stop_token stop = target.client->state().scope().stopToken();
    for (;;) {
        const Result<qint64> settled = co_await settle(target, release.end(), stop);
        if (settled)
            co_return;
        const bool again = co_await release.pauseAfter(settled.error());
        if (!again)
            co_return;
    }
}

void Settling::giveBackInBackground(const AcquireCall& call) {
    settleInBackground(call, call.lease);
    if (call.queueFor)
        leaveQueueInBackground(call, *call.queueFor);
}

Task<void> Settling::leaveQueue(std::shared_ptr<const AcquireCall> call) {
    const Completion<redis::RespValue> reply = send(*call, *call->dialect->leaveQueue(call->key, *call->queueFor));
    auto unsettled = std::make_shared<Unsettled>(*call);
    reply.whenAbandoned([alive = QPointer(call->client), call, unsettled](const Result<redis::RespValue>& late) {
        if (alive && !late)
            leaveQueueInBackground(*call, *call->queueFor);
    });
    const Result<redis::RespValue> answer = co_await reply.wait(call->commandDeadline(), call->stop);
    const bool answerMayCome = reply.isAbandoned();
    if (!answer && !answerMayCome)
        leaveQueueInBackground(*call, *call->queueFor);
}

void Settling::leaveQueueInBackground(const LockTarget& target, Milliseconds queuedFor) {
    target.client->state().scope().spawn(leaveQueueUntilAnswered(target, queuedFor));
}

// Retries however long the server is unreachable, because the place may be kept for longer than the caller wanted to
// wait. Stops when another call of this holder queues meanwhile. A place that the server refuses to remove ends at its
// deadline, which depends on the places before it.
Task<void> Settling::leaveQueueUntilAnswered(LockTarget target, Milliseconds queuedFor) {
    RefusedRelease release(target.client, target.key, queuedFor);
    for (;;) {
        const Result<Done> left = co_await leaveQueueOnce(target, queuedFor, release.end());
        if (left)
            co_return;
        const bool again = co_await release.pauseAfter(left.error());
        if (!again)
            co_return;
    }
}

// Also Done if another call of this holder has queued meanwhile.
Task<Result<Done>> Settling::leaveQueueOnce(LockTarget target, Milliseconds queuedFor, Deadline deadline) {
    LockClient* client = target.client;
    const std::stop_token stop = client->state().scope().stopToken();
    BackOff backOff = BackOff::forRefusals();
    for (;;) {
        const Result<Done> ready =
            co_await client->state().commands().whenReady(target.key.name.bytes()).wait(deadline, stop);
        if (!ready)
            co_return ready.error();
        if (client->state().isQueued(target.key))
            co_return Done();
        const Completion<redis::RespValue> reply = send(target, *target.dialect->leaveQueue(target.key, queuedFor));
        const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
        if (answer)
            co_return Done();
        if (!wasLostOrDemoted(answer.error()))
            co_return answer.error();
        co_await pauseAfter(target, answer.error(), backOff.next(), deadline, stop);
    }
}

}  // namespace lockkeeper::locks
