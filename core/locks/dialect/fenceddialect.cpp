// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/fenceddialect.h"

#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

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

}  // namespace lockkeeper::locks
