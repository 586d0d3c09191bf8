// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/lock.h"

#include "locks/calls/lockcalls.h"
#include "locks/lockclientstate.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

Task<Result<Done>> lockWithoutEnd(AcquireCall call) {
    const Result<LockAttempt> taken = co_await LockCalls::tryLock(call, Deadline::never(call.client->clock()));
    if (!taken)
        co_return taken.error();
    co_return Done();
}

// ---- queries: they change nothing, so a lost answer has no consequences ----

// A node that does not serve the name now is asked again after a pause, or another one is.
Task<Result<redis::RespValue>> ask(LockClient* client, LockName name, redis::Command command) {
    constexpr Milliseconds pause{20};
    const Deadline deadline = Deadline::in(client->clock(), client->options().commandTimeout);
    const QPointer<LockClient> alive(client);
    for (;;) {
        const Completion<redis::RespValue> reply = client->connections().send(name.bytes(), command);
        const Result<redis::RespValue> answer = co_await reply.wait(deadline);
        if (answer || !redis::isRefusedByNode(answer.error()) || deadline.hasPassed() || !alive)
            co_return answer;
        const Completion<Done> nothing;
        const Result<Done> over = co_await nothing.wait(deadline.earlier(Deadline::in(client->clock(), pause)));
        Q_UNUSED(over)
        if (!alive)
            co_return answer;
    }
}

Task<Result<qint64>> askForNumber(LockClient* client, LockName name, redis::Command command) {
    const Result<redis::RespValue> answer = co_await ask(client, name, command);
    if (!answer)
        co_return answer.error();
    if (!answer->isInteger())
        co_return redis::unexpectedReply(command, *answer);
    co_return answer->integer;
}

Task<Result<bool>> askWhether(LockClient* client, LockName name, redis::Command command) {
    const Result<qint64> number = co_await askForNumber(client, name, command);
    if (!number)
        co_return number.error();
    co_return *number > 0;
}

// A read/write lock is locked either for reading or for writing.
Task<Result<bool>> askForMode(LockClient* client, LockName name, QByteArray mode) {
    const redis::Command command("HGET", {name.bytes(), QByteArrayLiteral("mode")});
    const Result<redis::RespValue> answer = co_await ask(client, name, command);
    if (!answer)
        co_return answer.error();
    co_return answer->bytes == mode;
}

Task<Result<qint64>> askForCount(LockClient* client, HoldKey key) {
    const redis::Command command("HGET", {key.name.bytes(), key.field()});
    const Result<redis::RespValue> answer = co_await ask(client, key.name, command);
    if (!answer)
        co_return answer.error();
    co_return answer->isNull() ? qint64{0} : answer->bytes.toLongLong();
}

Task<Result<std::optional<Milliseconds>>> askForTime(LockClient* client, LockName name) {
    const redis::Command command("PTTL", {name.bytes()});
    const Result<qint64> pttl = co_await askForNumber(client, name, command);
    if (!pttl)
        co_return pttl.error();
    std::optional<Milliseconds> remaining;
    if (*pttl >= 0)
        remaining = Milliseconds(*pttl);
    co_return remaining;
}

}  // namespace

Task<Result<LockAttempt>> Lock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                        std::stop_token stop) const {
    return LockCalls::tryLock(AcquireCall(target(thread), lease, std::move(stop)), waitUntil);
}

Task<Result<Done>> Lock::lock(ThreadId thread, std::optional<Milliseconds> lease, std::stop_token stop) const {
    return lockWithoutEnd(AcquireCall(target(thread), lease, std::move(stop)));
}

Task<Result<ReleaseOutcome>> Lock::unlock(ThreadId thread) const {
    return LockCalls::unlock(target(thread));
}

Task<Result<bool>> Lock::forceUnlock() const {
    return LockCalls::forceUnlock(LockTarget(m_client, m_dialect, HoldKey(m_name, HolderId())));
}

Task<Result<bool>> Lock::isLocked() const {
    switch (m_dialect->mode()) {
        case HoldMode::Read:
            return askForMode(m_client, m_name, QByteArrayLiteral("read"));
        case HoldMode::Write:
            return askForMode(m_client, m_name, QByteArrayLiteral("write"));
        case HoldMode::Exclusive:
            break;
    }
    return askWhether(m_client, m_name, redis::Command("EXISTS", {m_name.bytes()}));
}

Task<Result<bool>> Lock::isHeldBy(HolderId holder) const {
    const HoldKey key(m_name, std::move(holder), m_dialect->mode());
    return askWhether(m_client, m_name, redis::Command("HEXISTS", {m_name.bytes(), key.field()}));
}

Task<Result<qint64>> Lock::holdCount(ThreadId thread) const {
    return askForCount(m_client, holdKey(thread));
}

Task<Result<std::optional<Milliseconds>>> Lock::remainingTime() const {
    return askForTime(m_client, m_name);
}

LockTarget Lock::target(ThreadId thread) const {
    return LockTarget(m_client, m_dialect, holdKey(thread));
}

HoldKey Lock::holdKey(ThreadId thread) const {
    return HoldKey(m_name, holder(thread), m_dialect->mode());
}

}  // namespace lockkeeper::locks
