// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/multilock.h"

#include "locks/calls/lockcalls.h"
#include "locks/lockgroup.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds waitPerMember = 1500ms;

// The parameters of one acquire; copied into each coroutine that serves it.
struct Call {
    std::shared_ptr<const LockGroup> group;
    ThreadId thread;
    std::optional<Milliseconds> lease;
    std::stop_token stop;

    Call(std::shared_ptr<const LockGroup> lockGroup, ThreadId threadId, std::optional<Milliseconds> wantedLease,
         std::stop_token stopToken)
        : group(std::move(lockGroup)), thread(threadId), lease(wantedLease), stop(std::move(stopToken)) {}
};

// Releases the first `taken` members. After a cancellation the caller does not wait for this either.
Task<void> giveBack(Call call, size_t taken) {
    std::vector<size_t> members = call.group->allMembers();
    members.resize(taken);
    const std::shared_ptr<LockGroup::Releases> releases = call.group->giveBack(std::move(members), call.thread);
    const Deadline deadline = Deadline::in(call.group->clock(), call.group->commandTimeout());
    const Result<Done> done = co_await releases->allDone.wait(deadline, call.stop);
    Q_UNUSED(done)
}

Task<Result<LockAttempt>> takeEach(Call call, Deadline waitUntil, std::optional<Milliseconds> lease) {
    for (size_t member = 0; member < call.group->size(); ++member) {
        const Result<LockAttempt> tried =
            co_await call.group->tryMember(member, call.thread, waitUntil, lease, call.stop);
        if (!tried || !tried->acquired()) {
            co_await giveBack(call, member);
            co_return tried;
        }
    }
    co_return LockAttempt::taken();
}

Task<Result<LockAttempt>> setLeases(Call call) {
    for (size_t member = 0; member < call.group->size(); ++member) {
        const Result<Done> set = co_await call.group->setLease(member, call.thread, *call.lease, call.stop);
        if (!set) {
            co_await giveBack(call, call.group->size());
            co_return set.error();
        }
    }
    co_return LockAttempt::taken();
}

Task<Result<LockAttempt>> take(Call call, Deadline waitUntil) {
    const Milliseconds wait =
        std::chrono::ceil<Milliseconds>(waitUntil.time() - std::min(waitUntil.time(), call.group->clock().now()));
    const bool leasesComeLater = call.lease && wait > 0ms;
    const std::optional<Milliseconds> lease = leasesComeLater ? std::min(wait * 2, longestLease) : call.lease;
    const Result<LockAttempt> taken = co_await takeEach(call, waitUntil, lease);
    if (!leasesComeLater || !taken || !taken->acquired())
        co_return taken;
    co_return co_await setLeases(call);
}

bool isWorthAnotherRound(const Error& error) {
    return redis::isRefusedByNode(error) || error.cause == Cause::TooFewReplicas ||
           error.reply == ReplyKind::NoReplicas;
}

Task<Result<LockAttempt>> takeInRounds(Call call, Deadline waitUntil) {
    for (;;) {
        const Milliseconds longest = waitPerMember * static_cast<qint64>(call.group->size());
        const Deadline roundUntil = waitUntil.earlier(Deadline::in(call.group->clock(), longest));
        const Result<LockAttempt> taken = co_await take(call, roundUntil);
        const bool isForNextRound = taken ? !taken->acquired() : isWorthAnotherRound(taken.error());
        if (!isForNextRound || waitUntil.hasPassed())
            co_return taken;
    }
}

Task<Result<ReleaseOutcome>> releaseAll(std::shared_ptr<const LockGroup> group, ThreadId thread) {
    const std::shared_ptr<LockGroup::Releases> releases = group->giveBack(group->allMembers(), thread);
    const Deadline deadline = Deadline::in(group->clock(), group->commandTimeout() * 2);
    const Result<Done> done = co_await releases->allDone.wait(deadline);
    if (!done || releases->outcomes.size() < group->size())
        co_return Error(ErrorCode::OutcomeUnknown, Cause::MembersUnanswered);
    ReleaseOutcome all = ReleaseOutcome::Free;
    std::optional<Error> silent;  // of a member that is released, so that other errors come first
    for (const std::optional<Result<ReleaseOutcome>>& outcome : releases->outcomes) {
        if (!outcome->ok() && outcome->error().code != ErrorCode::NotAnnounced)
            co_return outcome->error();
        if (!outcome->ok())
            silent = outcome->error();
        else if (outcome->value() == ReleaseOutcome::StillHeld)
            all = ReleaseOutcome::StillHeld;
    }
    if (silent)
        co_return *silent;
    co_return all;
}

Task<Result<bool>> holdsAll(std::shared_ptr<const LockGroup> group, ThreadId thread) {
    for (size_t member = 0; member < group->size(); ++member) {
        const Result<bool> holds = co_await group->isHeld(member, thread);
        if (!holds || !*holds)
            co_return holds;
    }
    co_return true;
}

}  // namespace

MultiLock::MultiLock(std::vector<Lock> members) : m_group(std::make_shared<LockGroup>(std::move(members))) {}

MultiLock::~MultiLock() = default;

Task<Result<LockAttempt>> MultiLock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                             std::stop_token stop) const {
    Call call(m_group, thread, lease, std::move(stop));
    return waitUntil.isNever() ? takeInRounds(std::move(call), waitUntil) : take(std::move(call), waitUntil);
}

Task<Result<Done>> MultiLock::lock(ThreadId thread, std::optional<Milliseconds> lease, std::stop_token stop) const {
    return withoutValue(takeInRounds(Call(m_group, thread, lease, std::move(stop)), Deadline::never(m_group->clock())));
}

Task<Result<bool>> MultiLock::isHeldBy(ThreadId thread) const {
    return holdsAll(m_group, thread);
}

Task<Result<ReleaseOutcome>> MultiLock::unlock(ThreadId thread) const {
    return releaseAll(m_group, thread);
}

}  // namespace lockkeeper::locks
