// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/lockcalls.h"

#include "base/logging.h"
#include "locks/calls/backoff.h"
#include "locks/calls/clientwaits.h"
#include "locks/calls/fate.h"
#include "locks/calls/leasecommand.h"
#include "locks/calls/releasecalls.h"
#include "locks/calls/settling.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// Only the head of a queue gets the message of a release. If it gives up in this very moment, no other
// waiter learns of it.
constexpr Milliseconds longestSleepInQueue = 30s;

// How long a place in the queue is kept: as long as the caller waits. A caller that does not wait does not queue.
std::optional<Milliseconds> timeInQueue(const AcquireCall& call, Deadline waitUntil) {
    if (waitUntil.hasPassed())
        return std::nullopt;
    if (waitUntil.isNever())
        return call.client->options().fairLockWaitTimeout;
    const auto left = std::chrono::ceil<Milliseconds>(waitUntil.time() - call.client->clock().now());
    return std::clamp(left, shortestLease, longestLease);
}

}  // namespace

// ---- acquire ----

Task<Result<LockAttempt>> LockCalls::tryLock(AcquireCall call, Deadline waitUntil) {
    if (call.lease < shortestLease || call.lease > longestLease)
        return endedTask<Result<LockAttempt>>(Error(ErrorCode::InvalidArgument, Cause::LeaseOutOfRange));
    const bool needsReplicas = call.client->options().replicasToWaitFor > 0;
    auto shared = std::make_shared<const AcquireCall>(std::move(call));
    return needsReplicas ? tryWithReplicas(std::move(shared), waitUntil)
                         : tryWithoutReplicas(std::move(shared), waitUntil);
}

Task<Result<LockAttempt>> LockCalls::tryWithReplicas(Call call, Deadline waitUntil) {
    BackOff backOff = BackOff::forReplicas();
    for (;;) {
        const Result<LockAttempt> taken = co_await tryWithoutReplicas(call, waitUntil);
        if (!taken || !taken->acquired() || !mayHaveReplicas(*call))
            co_return taken;
        const Result<Done> kept = co_await keptByReplicas(call);
        if (kept)
            co_return taken;
        const bool mayBeKeptLater = kept.error().cause == Cause::TooFewReplicas || wasLost(kept.error());
        if (!mayBeKeptLater || waitUntil.hasPassed())
            co_return kept.error();
        qCInfo(logLocks) << "released, to be acquired again:" << kept.error().text;
        call->client->state().acquirePostponed(call->key, kept.error());
        const Deadline next = waitUntil.earlier(Deadline::in(call->client->clock(), backOff.next()));
        const Error paused = co_await ClientWaits::pauseWhileOpen(call->client, next, call->stop);
        if (paused.code != ErrorCode::Timeout)
            co_return paused;
        if (waitUntil.hasPassed())
            co_return kept.error();
    }
}

bool LockCalls::mayHaveReplicas(const AcquireCall& call) {
    const Replication* const replication = call.client->state().replication(call.key.name);
    return !replication || !replication->isAlone();
}

// Waits for the replicas. If too few acknowledge the lock, it is released.
Task<Result<Done>> LockCalls::keptByReplicas(Call call) {
    const Result<Done> acknowledged = co_await reachedReplicas(call);
    const bool isStillHeld = call->client->state().held().count(call->key) > 0;
    if (acknowledged && !isStillHeld)
        co_return Error(ErrorCode::NotHeld, Cause::LostBeforeReplicas);
    if (acknowledged)
        co_return Done();
    const bool hurry = acknowledged.error().code == ErrorCode::Cancelled;
    if (hurry)
        spawn(call->client, giveBackSoon(*call));
    else
        co_await giveBackSoon(*call);
    co_return acknowledged.error();
}

Task<Result<Done>> LockCalls::reachedReplicas(Call call) {
    Replication* replication = call->client->state().replication(call->key.name);
    if (!replication)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    co_return co_await replication->acknowledged(call->commandDeadline(), call->stop);
}

Task<void> LockCalls::giveBackSoon(LockTarget target) {
    const Result<ReleaseOutcome> released = co_await ReleaseCalls::giveBack(target);
    Q_UNUSED(released)
}

Task<Result<LockAttempt>> LockCalls::tryWithoutReplicas(Call call, Deadline waitUntil) {
    const bool isLeftOver =
        call->dialect->reentry() == Reentry::Refused && call->client->state().unsettled().any(call->key);
    return isLeftOver ? tryWhenSettled(std::move(call), waitUntil) : tryDirectly(std::move(call), waitUntil);
}

// A call of this holder whose caller has stopped waiting may have taken a lock that is not reentrant. That hold is
// released first, because the server would refuse this call. If the server refuses the release, only a call without a
// time limit waits for the end of the lease.
Task<Result<LockAttempt>> LockCalls::tryWhenSettled(Call call, Deadline waitUntil) {
    const Deadline command = call->commandDeadline();
    const Deadline later = waitUntil.time() > command.time() ? waitUntil : command;
    OpenCalls& unsettled = call->client->state().unsettled();
    const Completion<Done> settled =
        waitUntil.isNever() ? unsettled.whenNone(call->key) : unsettled.whenNoneOrRefused(call->key);
    const Result<Done> over = co_await settled.wait(later, call->stop);
    if (!over)
        co_return over.error();
    co_return co_await tryDirectly(call, waitUntil);
}

Task<Result<LockAttempt>> LockCalls::tryDirectly(Call call, Deadline waitUntil) {
    const bool mayQueue = call->dialect->hasQueue() && !waitUntil.hasPassed();
    return mayQueue ? tryInQueue(std::move(call), waitUntil) : tryAndWait(std::move(call), waitUntil);
}

Task<Result<LockAttempt>> LockCalls::tryInQueue(Call call, Deadline waitUntil) {
    LockClient* client = call->client;
    const Result<Done> ready = co_await ClientWaits::whenReady(call->client, call->key.name, waitUntil, call->stop);
    if (!ready)
        co_return ready.error();
    const std::optional<Milliseconds> keptFor = timeInQueue(*call, waitUntil);
    if (!keptFor)
        co_return co_await tryAndWait(call, waitUntil);
    auto queued = std::make_shared<AcquireCall>(*call);
    queued->queueFor = keptFor;
    client->state().queueJoined(call->key);
    const Result<LockAttempt> tried = co_await tryAndWait(queued, waitUntil);
    client->state().queueLeft(call->key);
    const bool isOutside = tried ? tried->acquired() : tried.error().cause == Cause::AlreadyHeld;
    if (!isOutside && !client->state().isQueued(call->key))
        co_await Settling::leaveQueue(queued);
    co_return tried;
}

// These steps are coroutines of their own, because each keeps the room for all its awaits: a free lock is taken often,
// and then only the first attempt is needed.
Task<Result<LockAttempt>> LockCalls::tryAndWait(Call call, Deadline waitUntil) {
    const bool isReady = call->client->state().commands().isReady(call->key.name.bytes());
    return isReady ? tryFirst(std::move(call), waitUntil) : tryWhenReady(std::move(call), waitUntil);
}

Task<Result<LockAttempt>> LockCalls::tryWhenReady(Call call, Deadline waitUntil) {
    const Result<Done> ready = co_await ClientWaits::whenReady(call->client, call->key.name, waitUntil, call->stop);
    if (!ready)
        co_return ready.error();
    co_return co_await tryFirst(call, waitUntil);
}

Task<Result<LockAttempt>> LockCalls::tryFirst(Call call, Deadline waitUntil) {
    // A call that does not wait is a single command, and takes as long as one command may take.
    const Deadline command = call->commandDeadline();
    const Result<LockAttempt> first =
        co_await attempt(call, waitUntil.hasPassed() ? command : waitUntil.earlier(command));
    if (isOver(first, waitUntil))
        co_return first;
    co_return co_await waitAfter(call, waitUntil, first);
}

bool LockCalls::isOver(const Result<LockAttempt>& tried, const Deadline& waitUntil) {
    return tried && (tried->acquired() || waitUntil.hasPassed());
}

Task<Result<LockAttempt>> LockCalls::waitAfter(Call call, Deadline waitUntil, Result<LockAttempt> first) {
    if (!first)
        first = co_await attemptAgain(call, waitUntil, first.error());
    if (!first || isOver(first, waitUntil))
        co_return first;
    if (call->dialect->channel(call->key))
        co_return co_await waitForMessage(call, waitUntil, *first);
    co_return co_await waitInTurns(call, waitUntil, *first);
}

// Subscribes before the second attempt, so that a release between the attempt and the sleep is not missed.
Task<Result<LockAttempt>> LockCalls::waitForMessage(Call call, Deadline waitUntil, LockAttempt last) {
    const std::shared_ptr<UnlockListener> listener =
        call->client->state().unlockSignals().listen(*call->dialect->channel(call->key));
    const Result<Done> subscribed = co_await listener->subscribed().wait(waitUntil, call->stop);
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
        // A TTL of 0 means that the key is about to expire. Wait at least 1 ms, or a server whose clock stands still
        // would be asked in a busy loop.
        if (last.remaining)
            wakeAtLatest = waitUntil.earlier(Deadline::in(call->client->clock(), std::max(*last.remaining, 1ms)));
        if (call->dialect->hasQueue())
            wakeAtLatest = wakeAtLatest.earlier(Deadline::in(call->client->clock(), longestSleepInQueue));
        const Result<Done> wake = co_await listener->nextWake().wait(wakeAtLatest, call->stop);
        if (!wake && wake.error().code != ErrorCode::Timeout)
            co_return wake.error();
        if (!wake && waitUntil.hasPassed())
            co_return last;
    }
}

// For kinds that publish no release: tries again with growing pauses.
Task<Result<LockAttempt>> LockCalls::waitInTurns(Call call, Deadline waitUntil, LockAttempt last) {
    const SpinBackOff& pauses = call->client->options().spinBackOff;
    BackOff backOff(std::max(pauses.first, 1ms), std::max(pauses.longest, 1ms), std::max(pauses.factor, 1));
    for (;;) {
        const Deadline next = waitUntil.earlier(Deadline::in(call->client->clock(), backOff.next()));
        const Error paused = co_await ClientWaits::pauseWhileOpen(call->client, next, call->stop);
        if (paused.code != ErrorCode::Timeout)
            co_return paused;
        if (waitUntil.hasPassed())
            co_return last;
        const Result<LockAttempt> tried = co_await attemptUntilAnswered(call, waitUntil);
        if (!tried || tried->acquired())
            co_return tried;
        last = *tried;
    }
}

Task<Result<LockAttempt>> LockCalls::attemptUntilAnswered(Call call, Deadline waitUntil) {
    Result<LockAttempt> tried = co_await attempt(call, waitUntil.earlier(call->commandDeadline()));
    if (!tried)
        tried = co_await attemptAgain(call, waitUntil, tried.error());
    co_return tried;
}

// Until waitUntil: waits for a lost connection, a slot that moves or the server's replicas, reconciles an unknown
// outcome, and then tries again.
Task<Result<LockAttempt>> LockCalls::attemptAgain(Call call, Deadline waitUntil, Error failure) {
    const bool needsReplicas = failure.reply == ReplyKind::NoReplicas;
    BackOff backOff = needsReplicas ? BackOff::forReplicas() : BackOff::forRefusals();
    for (;;) {
        if (failure.code == ErrorCode::OutcomeUnknown) {
            const Result<qint64> settled = co_await Settling::settle(*call, waitUntil, call->stop);
            if (!settled) {
                Settling::giveBackInBackground(*call);
                co_return moreTelling(failure, settled.error());
            }
        } else if (failure.code == ErrorCode::ConnectionLost) {
            const Result<Done> ready =
                co_await call->client->state().commands().whenReady(call->key.name.bytes()).wait(waitUntil, call->stop);
            if (!ready)
                co_return moreTelling(failure, ready.error());
        } else if (redis::isRefusedByNode(failure) || failure.reply == ReplyKind::NoReplicas) {
            if (failure.reply == ReplyKind::NoReplicas)
                call->client->state().acquirePostponed(call->key, failure);
            const Deadline next = waitUntil.earlier(Deadline::in(call->client->clock(), backOff.next()));
            const Error paused = co_await ClientWaits::pauseWhileOpen(call->client, next, call->stop);
            if (paused.code != ErrorCode::Timeout)
                co_return paused;
            if (waitUntil.hasPassed())
                co_return failure;
        } else {
            co_return failure;
        }
        const Deadline patience = waitUntil.earlier(call->commandDeadline());
        Result<LockAttempt> tried = co_await attempt(call, patience);
        if (tried)
            co_return tried;
        failure = tried.error();
    }
}

// One attempt. If a late answer shows that the lock or a place in the queue was taken, it is released.
Task<Result<LockAttempt>> LockCalls::attempt(Call call, Deadline patience) {
    LockClient& client = *call->client;
    const SteadyTime deadline = client.clock().now() + call->lease;
    const LeaseTicket ticket = client.state().leaseSent(call->key, deadline, LeaseCause::Acquire);
    ScriptCall script = call->dialect->acquire(call->key, call->lease, call->queueFor);
    const Completion<redis::RespValue> reply = LeaseCommand::send(*call, ticket, std::move(script), patience);
    const std::shared_ptr<LeaseCommand> underWay = LeaseCommand::follow(
        *call, reply, [call](const LockTarget&, const Result<redis::RespValue>& late) { onLateAttempt(*call, late); });
    const Result<redis::RespValue> answer = co_await reply.wait(call->commandDeadline(), call->stop);
    if (!answer) {
        if (!mayHaveHappened(answer.error()))
            client.state().held().leaseNotSet(call->key, ticket);
        co_return unansweredIsUnknown(answer.error());
    }
    const Result<LockAttempt> attempt = call->dialect->attemptOf(call->key, *answer);
    if (attempt && attempt->acquired())
        client.state().holdAcquired(call->key, ticket, deadline, call->lease, call->renewal);
    else
        client.state().held().leaseNotSet(call->key, ticket);
    if (client.state().hasUnreportedLoss(call->key))
        co_return co_await afterReport(call, attempt);
    co_return attempt;
}

// The loss of an earlier hold of this holder is reported before the attempt ends. Reported after it, it would look like
// the loss of the new hold.
Task<Result<LockAttempt>> LockCalls::afterReport(Call call, Result<LockAttempt> attempt) {
    const Result<Done> reported = co_await ClientWaits::whenReported(call->client, call->stop);
    if (reported)
        co_return attempt;
    const bool isTaken = attempt && attempt->acquired();
    if (isTaken && reported.error().code == ErrorCode::Cancelled)
        spawn(call->client, giveBackSoon(*call));
    co_return reported.error();
}

void LockCalls::onLateAttempt(const AcquireCall& call, const Result<redis::RespValue>& late) {
    if (!late && !mayHaveHappened(late.error()))
        return;
    if (late) {
        const Result<LockAttempt> attempt = call.dialect->attemptOf(call.key, *late);
        const bool leftNothing = !attempt || (!attempt->acquired() && !call.queueFor);
        if (leftNothing)
            return;
    }
    Settling::giveBackInBackground(call);
}

// ---- the lease of a hold ----

Task<Result<Done>> LockCalls::setLease(LockTarget target, Milliseconds lease, std::stop_token stop) {
    LockClient* client = target.client;
    const SteadyTime deadline = client->clock().now() + lease;
    const LeaseTicket ticket = client->state().leaseSent(target.key, deadline, LeaseCause::Renewal);
    const std::vector<HoldKey> holds(1, target.key);
    const Completion<redis::RespValue> reply =
        LeaseCommand::send(target, ticket, renewalOf(holds, lease), target.commandDeadline());
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline(), stop);
    if (!answer) {
        if (!mayHaveHappened(answer.error()))
            client->state().held().leaseNotSet(target.key, ticket);
        co_return unansweredIsUnknown(answer.error());
    }
    if (answer->items.size() != 1 || answer->items.front().integer != 1) {
        client->state().holdEnded(target.key);
        co_return notHeld(target.key);
    }
    client->state().holdLeased(target.key, ticket, deadline, lease);
    co_return Done();
}

}  // namespace lockkeeper::locks
