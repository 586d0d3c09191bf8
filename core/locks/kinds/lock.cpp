// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/lock.h"

#include "locks/calls/clientwaits.h"
#include "locks/calls/lockcalls.h"
#include "locks/calls/releasecalls.h"
#include "locks/lockclientstate.h"
#include "redis/replyerrors.h"

#include <algorithm>

namespace lockkeeper::locks {

namespace {

// ---- queries: they change nothing, so a lost answer has no consequences ----

Task<Result<qint64>> askForNumber(LockClient* client, LockName name, redis::Command command) {
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(client, name, command);
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

Task<Result<QByteArray>> askForMode(LockClient* client, LockName name) {
    const redis::Command command("HGET", {name.bytes(), QByteArrayLiteral("mode")});
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(client, name, command);
    if (!answer)
        co_return answer.error();
    co_return answer->bytes;
}

Task<Result<bool>> isLockedForWriting(LockClient* client, LockName name) {
    const Result<QByteArray> mode = co_await askForMode(client, name);
    if (!mode)
        co_return mode.error();
    co_return *mode == "write";
}

// Whether readers hold the lock, or a writer that also reads.
Task<Result<bool>> isLockedForReading(LockClient* client, LockName name) {
    const Result<QByteArray> mode = co_await askForMode(client, name);
    if (!mode)
        co_return mode.error();
    if (*mode != "write")
        co_return *mode == "read";
    const redis::Command command("HKEYS", {name.bytes()});
    const Result<redis::RespValue> fields = co_await ClientWaits::ask(client, name, command);
    if (!fields)
        co_return fields.error();
    co_return std::ranges::any_of(fields->items, [](const redis::RespValue& field) {
        return field.bytes != "mode" && !field.bytes.endsWith(":write");
    });
}

Task<Result<qint64>> askForCount(LockClient* client, HoldKey key) {
    const redis::Command command("HGET", {key.name.bytes(), key.field()});
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(client, key.name, command);
    if (!answer)
        co_return answer.error();
    co_return answer->isNull() ? qint64{0} : answer->bytes.toLongLong();
}

Task<Result<RemainingTime>> askForTime(LockClient* client, LockName name) {
    const redis::Command command("PTTL", {name.bytes()});
    const Result<qint64> pttl = co_await askForNumber(client, name, command);
    if (!pttl)
        co_return pttl.error();
    co_return RemainingTime::ofPttl(*pttl);
}

}  // namespace

Task<Result<LockAttempt>> Lock::tryLock(ThreadId thread, Deadline waitUntil, std::optional<Milliseconds> lease,
                                        std::stop_token stop) const {
    return LockCalls::tryLock(AcquireCall(target(thread), lease, std::move(stop)), waitUntil);
}

Task<Result<Done>> Lock::lock(ThreadId thread, std::optional<Milliseconds> lease, std::stop_token stop) const {
    return withoutValue(
        LockCalls::tryLock(AcquireCall(target(thread), lease, std::move(stop)), Deadline::never(m_client->clock())));
}

Task<Result<ReleaseOutcome>> Lock::unlock(ThreadId thread) const {
    return ReleaseCalls::unlock(target(thread));
}

Task<Result<bool>> Lock::forceUnlock() const {
    return ReleaseCalls::forceUnlock(LockTarget(m_client, m_dialect, HoldKey(m_name, HolderId())));
}

Task<Result<bool>> Lock::isLocked() const {
    switch (m_dialect->mode()) {
        case HoldMode::Read:
            return isLockedForReading(m_client, m_name);
        case HoldMode::Write:
            return isLockedForWriting(m_client, m_name);
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

Task<Result<RemainingTime>> Lock::remainingTime() const {
    return askForTime(m_client, m_name);
}

Task<Result<RemovalOutcome>> Lock::remove(Removal removal) const {
    return ReleaseCalls::remove(LockTarget(m_client, m_dialect, HoldKey(m_name, HolderId())), removal);
}

LockTarget Lock::target(ThreadId thread) const {
    return LockTarget(m_client, m_dialect, holdKey(thread));
}

HoldKey Lock::holdKey(ThreadId thread) const {
    return HoldKey(m_name, holder(thread), m_dialect->mode());
}

}  // namespace lockkeeper::locks
