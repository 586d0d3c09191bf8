// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fencedlock.h"

#include "locks/calls/clientwaits.h"
#include "locks/dialect/reentrantdialect.h"
#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

// A reentrant lock that returns a new token with every acquire; the last token outlives the lock.
class FencedDialect final : public ReentrantDialect {
public:
    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] Result<LockAttempt> attemptOf(const HoldKey& key, const redis::RespValue& answer) const override;
    [[nodiscard]] QByteArrayList keysOf(const LockName& name) const override;

private:
    const redis::Script m_acquire = script({"add_hold", "fenced_acquire"});
};

ScriptCall FencedDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    return {m_acquire,
            {key.name.bytes(), LockKeys(key.name).token()},
            {QByteArray::number(lease.count()), key.holder.bytes()}};
}

Result<LockAttempt> FencedDialect::attemptOf(const HoldKey& key, const redis::RespValue& answer) const {
    Q_UNUSED(key)
    if (answer.isInteger())
        return LockAttempt::heldByOther(answer.integer);
    if (answer.items.size() != 1 || !answer.items.front().isInteger())
        return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
    LockAttempt attempt = LockAttempt::taken();
    attempt.token = FencingToken{answer.items.front().integer};
    return attempt;
}

QByteArrayList FencedDialect::keysOf(const LockName& name) const {
    return {name.bytes(), LockKeys(name).token()};
}

const LockDialect& fencedDialect() {
    static const FencedDialect dialect;
    return dialect;
}

Task<Result<FencingToken>> takeWithToken(FencedLock lock, ThreadId thread, std::optional<Milliseconds> lease,
                                         std::stop_token stop) {
    const Deadline never = Deadline::never(lock.client().clock());
    const Result<LockAttempt> taken = co_await lock.tryLock(thread, never, lease, stop);
    if (!taken)
        co_return taken.error();
    co_return *taken->token;
}

Task<Result<std::optional<FencingToken>>> readToken(FencedLock lock) {
    const redis::Command command("GET", {LockKeys(lock.name()).token()});
    const Result<redis::RespValue> answer = co_await ClientWaits::ask(&lock.client(), lock.name(), command);
    if (!answer)
        co_return answer.error();
    std::optional<FencingToken> token;
    if (!answer->isNull())
        token = FencingToken{answer->bytes.toLongLong()};
    co_return token;
}

}  // namespace

FencedLock::FencedLock(LockClient& client, const LockName& name) : Lock(client, fencedDialect(), name) {}

Task<Result<std::optional<FencingToken>>> FencedLock::token() const {
    return readToken(*this);
}

Task<Result<FencingToken>> FencedLock::lockAndGetToken(ThreadId thread, std::optional<Milliseconds> lease,
                                                       std::stop_token stop) const {
    return takeWithToken(*this, thread, lease, std::move(stop));
}

}  // namespace lockkeeper::locks
