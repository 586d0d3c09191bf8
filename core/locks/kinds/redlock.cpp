// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/redlock.h"

#include "async/pause.h"
#include "locks/calls/backoff.h"
#include "locks/calls/lockcalls.h"
#include "locks/lockgroup.h"

namespace lockkeeper::locks {

namespace {

using namespace std::chrono_literals;

// Callers that lost the same round wait a random time up to this; otherwise they would split the servers again.
constexpr std::chrono::milliseconds longestPause{50};

// The parameters of one acquire; copied into each coroutine that serves it.
struct Call {
    std::shared_ptr<const LockGroup> group;
    ThreadId thread;
    std::optional<Milliseconds> lease;
    Milliseconds answerTimeout;
    std::stop_token stop;

    Call(std::shared_ptr<const LockGroup> lockGroup, ThreadId threadId, std::optional<Milliseconds> wantedLease,
         Milliseconds timeout, std::stop_token stopToken)
        : group(std::move(lockGroup)),
          thread(threadId),
          lease(wantedLease),
          answerTimeout(timeout),
          stop(std::move(stopToken)) {}

    [[nodiscard]] size_t quorum() const { return group->size() / 2 + 1; }
};

// All servers are asked at once; each answer is counted as it comes.
struct Round {
    std::vector<std::optional<Result<LockAttempt>>> answers;
    size_t answered = 0;
    Completion<Done> decided;      // enough servers have granted it, or too many have refused
    Completion<Done> allAnswered;  // no answer is outstanding
    std::stop_source stop;

    [[nodiscard]] std::vector<size_t> taken() const {
        std::vector<size_t> members;
        for (size_t i = 0; i < answers.size(); ++i) {
            if (answers[i] && answers[i]->ok() && answers[i]->value().acquired())
                members.push_back(i);
        }
        return members;
    }
    void note(size_t member, const Result<LockAttempt>& answer, size_t quorum) {
        answers[member] = answer;
        ++answered;
        const size_t yes = taken().size();
        const size_t stillPossible = yes + answers.size() - answered;
        if (yes >= quorum || stillPossible < quorum)
            decided.complete(Done());
        if (answered == answers.size())
            allAnswered.complete(Done());
    }
};

Task<void> askOne(Call call, std::shared_ptr<Round> round, size_t member, Deadline waitUntil) {
    const Result<LockAttempt> answer =
        co_await call.group->tryMember(member, call.thread, waitUntil, call.lease, round->stop.get_token());
    round->note(member, answer, call.quorum());
}

std::shared_ptr<Round> askAll(const Call& call, Milliseconds waitEach) {
    auto round = std::make_shared<Round>();
    round->answers.resize(call.group->size());
    const Deadline waitUntil = Deadline::in(call.group->clock(), waitEach);
    for (size_t member = 0; member < call.group->size(); ++member)
        call.group->spawn(member, askOne(call, round, member, waitUntil));
    return round;
}

// Releases the given members. The servers get time to answer, unless the caller was cancelled.
Task<void> giveBack(Call call, std::vector<size_t> members) {
    const std::shared_ptr<LockGroup::Releases> releases = call.group->giveBack(std::move(members), call.thread);
    const Deadline deadline = Deadline::in(call.group->clock(), call.answerTimeout);
    const Result<Done> done = co_await releases->allDone.wait(deadline, call.stop);
    Q_UNUSED(done)
}

// Why a round was lost. "Held by another" is more useful to the caller than "a server is unreachable".
Result<RedLockAttempt> lost(const Round& round) {
    std::optional<Error> error;
    for (const std::optional<Result<LockAttempt>>& answer : round.answers) {
        if (answer && answer->ok() && !answer->value().acquired())
            return RedLockAttempt();
        if (answer && !answer->ok() && answer->error().code != ErrorCode::Cancelled)
            error = answer->error();
    }
    return error.value_or(Error(ErrorCode::ConnectionLost, Cause::TooFewServers));
}

Task<Result<RedLockAttempt>> tryOnce(Call call, Milliseconds waitEach) {
    Clock& clock = call.group->clock();
    const SteadyTime start = clock.now();
    const std::shared_ptr<Round> round = askAll(call, waitEach);
    const Deadline answersUntil = Deadline::in(clock, waitEach + call.answerTimeout);
    const Result<Done> decided = co_await round->decided.wait(answersUntil, call.stop);
    if (decided && round->taken().size() >= call.quorum()) {
        // After the decision, waits as long again, so that more servers can grant it. A server that is down must not
        // delay the others for longer.
        const Deadline grace = Deadline::in(clock, std::max<std::chrono::nanoseconds>(clock.now() - start, 10ms));
        const Result<Done> complete = co_await round->allAnswered.wait(answersUntil.earlier(grace), call.stop);
        Q_UNUSED(complete)
    }
    round->stop.request_stop();

    const Milliseconds lease = std::min(call.lease.value_or(call.group->watchdogTimeout()), longestLease);
    const std::chrono::nanoseconds drift = std::chrono::nanoseconds(lease) / 100 + 2ms;
    RedLockAttempt attempt;
    attempt.servers = round->taken().size();
    attempt.validUntil = start + lease - drift;
    const bool held = attempt.servers >= call.quorum() && attempt.validUntil > clock.now();
    if (held && !call.stop.stop_requested()) {
        attempt.outcome = LockAttempt::Outcome::Acquired;
        co_return attempt;
    }
    co_await giveBack(call, round->taken());
    if (call.stop.stop_requested())
        co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
    co_return lost(*round);
}

bool isWorthAnotherRound(const Result<RedLockAttempt>& tried) {
    if (tried)
        return !tried->acquired();
    const ErrorCode code = tried.error().code;
    return code == ErrorCode::ConnectionLost || code == ErrorCode::OutcomeUnknown || code == ErrorCode::Timeout ||
           code == ErrorCode::Overloaded;
}

Task<Result<RedLockAttempt>> tryInRounds(Call call, Deadline waitUntil) {
    Clock& clock = call.group->clock();
    for (;;) {
        Milliseconds waitEach = 0ms;
        if (!waitUntil.hasPassed()) {
            const auto left = waitUntil.time() - clock.now();
            waitEach = std::chrono::duration_cast<Milliseconds>(left / static_cast<qint64>(call.group->size()));
            waitEach = std::clamp(waitEach, Milliseconds(1), Milliseconds(1500));
        }
        const Result<RedLockAttempt> tried = co_await tryOnce(call, waitEach);
        if (!isWorthAnotherRound(tried) || waitUntil.hasPassed() || !call.group->isAlive())
            co_return tried;
        const Deadline next = waitUntil.earlier(Deadline::in(clock, someOf(longestPause)));
        const bool goesOn = co_await pauseUntil(next, call.stop);
        if (!goesOn)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
    }
}

Task<Result<ReleaseOutcome>> releaseAll(Call call) {
    const std::shared_ptr<LockGroup::Releases> releases = call.group->giveBack(call.group->allMembers(), call.thread);
    const Deadline deadline = Deadline::in(call.group->clock(), call.answerTimeout);
    const Result<Done> done = co_await releases->allDone.wait(deadline);
    Q_UNUSED(done)
    std::optional<ReleaseOutcome> outcome;
    std::optional<Error> error;
    std::optional<Error> silent;  // of a server that has released it
    std::vector<Error> notHeld;
    for (const std::optional<Result<ReleaseOutcome>>& answer : releases->outcomes) {
        if (answer && answer->ok())
            outcome = outcome == ReleaseOutcome::StillHeld ? ReleaseOutcome::StillHeld : answer->value();
        else if (answer && answer->error().code == ErrorCode::NotHeld)
            notHeld.push_back(answer->error());
        else if (answer && answer->error().code == ErrorCode::NotAnnounced)
            silent = answer->error();
        else if (answer)
            error = answer->error();
    }
    if (silent)
        co_return *silent;
    if (outcome)
        co_return *outcome;
    if (notHeld.size() >= call.quorum())
        co_return notHeld.front();
    co_return error.value_or(Error(ErrorCode::OutcomeUnknown, Cause::TooFewServers));
}

}  // namespace

RedLock::RedLock(std::vector<Lock> members, Milliseconds answerTimeout)
    : m_group(std::make_shared<LockGroup>(std::move(members))), m_answerTimeout(answerTimeout) {}

RedLock::~RedLock() = default;

Task<Result<RedLockAttempt>> RedLock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                              std::stop_token stop) const {
    return tryInRounds(Call(m_group, thread, lease, m_answerTimeout, std::move(stop)), waitUntil);
}

Task<Result<RedLockAttempt>> RedLock::lock(ThreadId thread, std::optional<Milliseconds> lease,
                                           std::stop_token stop) const {
    return tryLock(thread, Deadline::never(m_group->clock()), lease, std::move(stop));
}

Task<Result<ReleaseOutcome>> RedLock::unlock(ThreadId thread) const {
    return releaseAll(Call(m_group, thread, std::nullopt, m_answerTimeout, std::stop_token()));
}

}  // namespace lockkeeper::locks
