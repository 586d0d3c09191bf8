// SPDX-License-Identifier: Apache-2.0
#include "locks/synchronizers/synchronizercalls.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/calls/backoff.h"
#include "locks/calls/clientwaits.h"
#include "locks/calls/fate.h"
#include "locks/calls/refusedrelease.h"
#include "locks/calls/unsettled.h"
#include "locks/dialect/lockdialect.h"
#include "locks/lockclientstate.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

using namespace std::chrono_literals;

// The answer of an attempt's script.
struct SynchronizerCalls::Attempted {
    bool succeeded = false;
    qint64 freePermits = 0;                // after it
    std::optional<Milliseconds> tryAfter;  // nothing: only a message is a reason to try again
};

namespace {

// Calls are counted by name; semaphores and latches have no holder.
HoldKey callsOf(const LockName& name) {
    return HoldKey(name, HolderId());
}

Deadline commandDeadline(LockClient* client) {
    return Deadline::in(client->clock(), client->options().commandTimeout);
}

}  // namespace

Result<SynchronizerCalls::Attempted> SynchronizerCalls::attemptOf(const redis::RespValue& answer) {
    constexpr size_t fields = 3;
    if (answer.items.size() != fields)
        return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
    Attempted attempted;
    attempted.succeeded = answer.items[0].integer == 1;
    attempted.freePermits = answer.items[1].integer;
    if (answer.items[2].integer >= 0)
        attempted.tryAfter = Milliseconds(answer.items[2].integer);
    return attempted;
}

// ---- waiting ----

// Subscribes before the second attempt, so that a message between the attempt and the sleep is not missed.
Task<Result<bool>> SynchronizerCalls::wait(Call call, Deadline waitUntil) {
    const bool isWaiting = !waitUntil.hasPassed();
    const Result<Done> ready = co_await ClientWaits::whenReady(call->client, call->name, waitUntil, call->stop);
    if (!ready)
        co_return ready.error();
    // A call that does not wait is a single command, and takes as long as one command may take.
    const Deadline command = commandDeadline(call->client);
    Result<Attempted> tried =
        co_await attemptUntilAnswered(call, waitUntil, isWaiting ? waitUntil.earlier(command) : command);
    if (!tried)
        co_return tried.error();
    if (tried->succeeded || waitUntil.hasPassed())
        co_return tried->succeeded;
    UnlockSignals* messages = &call->client->state().unlockSignals();
    const std::shared_ptr<UnlockListener> listener = messages->listen(call->channel, call->wants);
    const Result<Done> subscribed = co_await listener->subscribed().wait(waitUntil, call->stop);
    if (!subscribed && subscribed.error().code == ErrorCode::Timeout)
        co_return false;
    if (!subscribed)
        co_return subscribed.error();
    for (;;) {
        const bool woken = listener->takeWake();
        tried = co_await attemptUntilAnswered(call, waitUntil, waitUntil.earlier(commandDeadline(call->client)));
        if (!tried) {
            if (woken)
                listener->returnWake();
            co_return tried.error();
        }
        if (tried->succeeded || waitUntil.hasPassed())
            co_return tried->succeeded;
        // Too few for this call may be enough for others that were not woken.
        if (tried->freePermits > 0)
            messages->offer(call->channel, tried->freePermits);
        Deadline wakeAtLatest = waitUntil;
        if (tried->tryAfter)
            wakeAtLatest = waitUntil.earlier(Deadline::in(call->client->clock(), std::max(*tried->tryAfter, 1ms)));
        const Result<Done> wake = co_await listener->nextWake().wait(wakeAtLatest, call->stop);
        if (!wake && wake.error().code != ErrorCode::Timeout)
            co_return wake.error();
        if (!wake && waitUntil.hasPassed())
            co_return false;
    }
}

// Until waitUntil: waits for a lost connection or for a slot that moves, and then tries again if that can do no harm.
Task<Result<SynchronizerCalls::Attempted>> SynchronizerCalls::attemptUntilAnswered(Call call, Deadline waitUntil,
                                                                                   Deadline patience) {
    BackOff backOff = BackOff::forRefusals();
    for (;;) {
        Result<Attempted> tried = co_await attemptOnce(call, patience);
        if (tried)
            co_return tried;
        const Error failure = tried.error();
        if (redis::isRefusedByNode(failure)) {
            const Deadline next = waitUntil.earlier(Deadline::in(call->client->clock(), backOff.next()));
            const Error paused = co_await ClientWaits::pauseWhileOpen(call->client, next, call->stop);
            if (paused.code != ErrorCode::Timeout)
                co_return paused;
            if (waitUntil.hasPassed())
                co_return failure;
        } else {
            const Result<Done> again = co_await makeReadyAgain(call, waitUntil, failure);
            if (!again)
                co_return again.error();
        }
        patience = waitUntil.earlier(commandDeadline(call->client));
    }
}

// Waits until another attempt may be made after this failure; otherwise answers the error to return.
Task<Result<Done>> SynchronizerCalls::makeReadyAgain(Call call, Deadline waitUntil, Error failure) {
    const bool isUnknown = failure.code == ErrorCode::OutcomeUnknown;
    const bool isReported = isUnknown && call->afterwards == WaitingCall::Afterwards::Report;
    if (!wasLost(failure) || isReported)
        co_return call->afterwards == WaitingCall::Afterwards::Repeat ? failure : unansweredIsUnknown(failure);
    if (isUnknown && call->afterwards == WaitingCall::Afterwards::TakeBack) {
        const Result<Done> takenBack = co_await takeBack(call, waitUntil, call->stop);
        if (takenBack)
            co_return Done();
        call->client->state().scope().spawn(takeBackUntilAnswered(call));
        co_return moreTelling(failure, takenBack.error());
    }
    const Result<Done> ready =
        co_await call->client->state().commands().whenReady(call->name.bytes()).wait(waitUntil, call->stop);
    if (!ready)
        co_return moreTelling(failure, ready.error());
    co_return Done();
}

// If a late answer shows that permits were taken, they are released.
Task<Result<SynchronizerCalls::Attempted>> SynchronizerCalls::attemptOnce(Call call, Deadline patience) {
    const Completion<redis::RespValue> reply =
        call->client->state().commands().run(call->name.bytes(), call->attempt, patience);
    const auto unsettled = std::make_shared<Unsettled>(call->client, callsOf(call->name));
    reply.whenAbandoned([alive = QPointer(call->client), call, unsettled](const Result<redis::RespValue>& late) {
        if (alive)
            onLateAttempt(call, *unsettled, late);
    });
    const Result<redis::RespValue> answer = co_await reply.wait(commandDeadline(call->client), call->stop);
    if (!answer)
        co_return answer.error();
    co_return attemptOf(*answer);
}

void SynchronizerCalls::onLateAttempt(const Call& call, const Unsettled& unsettled,
                                      const Result<redis::RespValue>& late) {
    if (!call->takeBack)
        return;
    const bool isLost = !late && late.error().code == ErrorCode::OutcomeUnknown;
    if (isLost && call->afterwards == WaitingCall::Afterwards::Report) {
        qCWarning(logLocks) << "the answer was lost: permits may be missing of" << boundedName(call->name);
        unsettled.refuse(late.error());
    }
    const Result<Attempted> attempted = late ? attemptOf(*late) : Result<Attempted>(late.error());
    const bool isTaken = attempted && attempted->succeeded;
    if (isTaken || (isLost && call->afterwards == WaitingCall::Afterwards::TakeBack))
        call->client->state().scope().spawn(takeBackUntilAnswered(call));
}

// ---- taking back ----

// Uses EVAL: EVALSHA may need a second step after NOSCRIPT, which could run after a later call. A release that was sent
// is repeated only if that can do no harm.
Task<Result<Done>> SynchronizerCalls::takeBack(Call call, Deadline deadline, std::stop_token stop) {
    BackOff backOff = BackOff::forRefusals();
    for (;;) {
        const Result<Done> ready =
            co_await call->client->state().commands().whenReady(call->name.bytes()).wait(deadline, stop);
        if (!ready)
            co_return ready.error();
        const Completion<redis::RespValue> reply =
            call->client->state().commands().evalOnce(call->name.bytes(), *call->takeBack);
        const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
        if (answer)
            co_return Done();
        const Error failure = answer.error();
        const bool mayBeDone = failure.code == ErrorCode::OutcomeUnknown;
        if (!wasLostOrDemoted(failure) || (mayBeDone && call->afterwards == WaitingCall::Afterwards::Report))
            co_return failure;
        if (redis::isRefusedByNode(failure) || failure.reply == ReplyKind::ReadOnly) {
            const Deadline next = deadline.earlier(Deadline::in(call->client->clock(), backOff.next()));
            const Error paused = co_await ClientWaits::pauseWhileOpen(call->client, next, stop);
            if (paused.code != ErrorCode::Timeout)
                co_return paused;
        }
    }
}

// Retries however long the server is unreachable: a permit may have no lease.
Task<void> SynchronizerCalls::takeBackUntilAnswered(Call call) {
    RefusedRelease release(call->client, callsOf(call->name), call->takeBackFor);
    const std::stop_token stop = call->client->state().scope().stopToken();
    for (;;) {
        const Result<Done> takenBack = co_await takeBack(call, release.end(), stop);
        if (takenBack)
            co_return;
        const bool mayBeDone = takenBack.error().code == ErrorCode::OutcomeUnknown;
        if (mayBeDone)
            release.report(takenBack.error());
        bool again = !mayBeDone;
        if (again)
            again = co_await release.pauseAfter(takenBack.error());
        if (!again)
            co_return;
    }
}

Completion<Done> SynchronizerCalls::whenSettled(LockClient* client, const LockName& name) {
    return client->state().unsettled().whenNoneOrRefused(callsOf(name));
}

// ---- calls that do not wait ----

Task<Result<qint64>> SynchronizerCalls::write(LockClient* client, LockName name, redis::ScriptCall script) {
    const Deadline deadline = commandDeadline(client);
    const Result<Done> ready = co_await ClientWaits::whenReady(client, name, deadline, std::stop_token());
    if (!ready)
        co_return ready.error();
    const Completion<redis::RespValue> reply = client->state().commands().run(name.bytes(), script, deadline);
    const auto unsettled = std::make_shared<Unsettled>(client, callsOf(name));
    reply.whenAbandoned([unsettled](const Result<redis::RespValue>&) {});
    const Result<redis::RespValue> answer = co_await reply.wait(deadline);
    if (!answer)
        co_return unansweredIsUnknown(answer.error());
    co_return numberIn(*answer);
}

Task<Result<bool>> SynchronizerCalls::writeIf(LockClient* client, LockName name, redis::ScriptCall script) {
    const Result<qint64> answer = co_await write(client, name, script);
    if (!answer)
        co_return answer.error();
    co_return *answer == 1;
}

Task<Result<Done>> SynchronizerCalls::writeAlways(LockClient* client, LockName name, redis::ScriptCall script) {
    return withoutValue(write(client, std::move(name), std::move(script)));
}

Task<Result<qint64>> SynchronizerCalls::number(LockClient* client, LockName name) {
    const Deadline deadline = commandDeadline(client);
    const Result<Done> ready = co_await ClientWaits::whenReady(client, name, deadline, std::stop_token());
    if (!ready)
        co_return ready.error();
    const redis::Command get("GET", {name.bytes()});
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(client, name, get);
    if (!answer)
        co_return answer.error();
    bool isNumber = answer->isNull();
    const qint64 number = isNumber ? 0 : answer->bytes.toLongLong(&isNumber);
    if (!isNumber)
        co_return redis::unexpectedReply(get, *answer);
    co_return number;
}

}  // namespace lockkeeper::locks
