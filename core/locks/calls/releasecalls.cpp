// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/releasecalls.h"

#include "locks/calls/fate.h"
#include "locks/calls/settling.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

// For how long the server may keep these holds, at most: each reentry of a writer adds its lease.
Milliseconds longestStay(const HoldKey& key, const Hold* hold, SteadyTime now, Milliseconds otherwise) {
    if (!hold)
        return otherwise;
    const Milliseconds sum = key.mode == HoldMode::Write ? Milliseconds(hold->lease * hold->count) : hold->lease;
    return std::max(sum, std::chrono::ceil<Milliseconds>(hold->deadline - now));
}

}  // namespace

Task<Result<ReleaseOutcome>> ReleaseCalls::unlock(LockTarget target) {
    const Release release = begin(target);
    // A release that is refused to the end counts as one without an answer: it is reconciled when the slot has moved.
    ScriptCall script = target.dialect->release(target.key, release.lease);
    script.setTracked(target.client->state().staysHeld(target.key.name, release.believed));
    const Completion<redis::RespValue> reply =
        LeaseCommand::send(target, release.ticket, std::move(script), Deadline::never(target.client->clock()));
    const std::shared_ptr<LeaseCommand> underWay = LeaseCommand::follow(
        target, reply, [stay = release.stay](const LockTarget& late, const Result<redis::RespValue>& answer) {
            onLate(late, stay, answer);
        });
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline());
    co_return answer ? outcomeOf(release, *answer) : failed(release, answer.error());
}

ReleaseCalls::Release ReleaseCalls::begin(const LockTarget& target) {
    LockClient* client = target.client;
    const Hold* believed = client->state().held().find(target.key);
    const qint64 count = believed ? believed->count : 0;
    const Milliseconds lease = believed ? believed->lease : client->options().watchdogTimeout;
    const SteadyTime now = client->clock().now();
    const Milliseconds stay = longestStay(target.key, believed, now, lease);
    const SteadyTime deadline = now + lease;
    const LeaseTicket ticket = client->state().leaseSent(target.key, deadline, LeaseCause::Release);
    return {target, count, lease, stay, deadline, ticket};
}

Result<ReleaseOutcome> ReleaseCalls::outcomeOf(const Release& release, const redis::RespValue& answer) {
    LockClientState& state = release.target.client->state();
    const HoldKey& key = release.target.key;
    if (answer.isInteger() && answer.integer == 0) {
        onReleasedOnce(release);
        return ReleaseOutcome::StillHeld;
    }
    const std::optional<Error> silent = notAnnounced(answer);
    if (!answer.isNull() && !silent && !answer.isInteger())
        return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
    state.holdEnded(key);
    if (answer.isNull())
        return notHeld(key);
    return silent ? Result<ReleaseOutcome>(*silent) : ReleaseOutcome::Free;
}

void ReleaseCalls::onReleasedOnce(const Release& release) {
    LockClientState& state = release.target.client->state();
    state.leaseSet(release.target.key, release.ticket, release.deadline, LeaseCause::Release);
    state.holdReleasedOnce(release.target.key);
    // The hold was believed to have expired, but a reentry had prolonged it. Without this nothing would ever release
    // it.
    if (release.believed > 0 && !state.held().find(release.target.key))
        Settling::settleInBackground(release.target, release.stay);
}

void ReleaseCalls::onLate(const LockTarget& target, Milliseconds stay, const Result<redis::RespValue>& late) {
    if (late && late->isNull()) {
        target.client->state().unsettled().refuse(target.key, notHeld(target.key));
        target.client->state().holdSettled(target.key, 0);
        return;
    }
    const bool isGivenBack = late && (late->isInteger() || notAnnounced(*late));
    if (!isGivenBack)
        Settling::settleInBackground(target, stay);
}

// A release that may have been executed counts as done: the caller no longer needs the hold, and the reconciliation
// brings the server to the same count.
Error ReleaseCalls::failed(const Release& release, const Error& failure) {
    LockClientState& state = release.target.client->state();
    if (!mayHaveHappened(failure)) {
        state.held().leaseNotSet(release.target.key, release.ticket);
        return failure;
    }
    state.holdReleasedOnce(release.target.key);
    const bool answerMayCome = failure.code == ErrorCode::Timeout;  // the late answer is handled by onLate()
    if (!answerMayCome)
        Settling::settleInBackground(release.target, release.stay);
    return unansweredIsUnknown(failure);
}

Task<Result<ReleaseOutcome>> ReleaseCalls::giveBack(LockTarget target) {
    const Result<ReleaseOutcome> released = co_await unlock(target);
    if (released)
        co_return released;
    // With these errors unlock() has already removed the hold from the record.
    const ErrorCode code = released.error().code;
    const bool isCounted =
        code == ErrorCode::NotHeld || code == ErrorCode::NotAnnounced || code == ErrorCode::OutcomeUnknown;
    if (!isCounted) {
        LockClient* client = target.client;
        const Milliseconds stay = longestStay(target.key, client->state().held().find(target.key),
                                              client->clock().now(), client->options().watchdogTimeout);
        client->state().holdReleasedOnce(target.key);
        Settling::settleInBackground(target, stay);
    }
    co_return released;
}

Task<Result<bool>> ReleaseCalls::forceUnlock(LockTarget target) {
    const Completion<redis::RespValue> reply = target.client->state().commands().run(
        target.key.name.bytes(), target.dialect->force(target.key.name), target.commandDeadline());
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline());
    if (!answer)
        co_return unansweredIsUnknown(answer.error());
    const Result<qint64> freed = numberIn(*answer);
    if (!freed)
        co_return freed.error();
    target.client->state().tracking().check(target.key.name);
    co_return *freed == 1;
}

Task<Result<RemovalOutcome>> ReleaseCalls::remove(LockTarget target, Removal removal) {
    if (removal == Removal::FreeFirst) {
        const Result<bool> freed = co_await forceUnlock(target);
        if (!freed)
            co_return freed.error();
    }
    const ScriptCall script = removalOf(target.dialect->keysOf(target.key.name));
    const Completion<redis::RespValue> reply =
        target.client->state().commands().run(target.key.name.bytes(), script, target.commandDeadline());
    const Result<redis::RespValue> answer = co_await reply.wait(target.commandDeadline());
    if (!answer)
        co_return unansweredIsUnknown(answer.error());
    if (!answer->isInteger())
        co_return redis::unexpectedReply(redis::Command("EVALSHA"), *answer);
    if (answer->integer < 0)
        co_return RemovalOutcome::Held;
    co_return answer->integer == 0 && removal == Removal::OnlyIfFree ? RemovalOutcome::NothingFound
                                                                     : RemovalOutcome::Removed;
}

}  // namespace lockkeeper::locks
