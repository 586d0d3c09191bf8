// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/lockdialect.h"

#include "redis/replyerrors.h"

namespace lockkeeper::locks {

std::optional<ScriptCall> LockDialect::leaveQueue(const HoldKey& key, Milliseconds queuedFor) const {
    Q_UNUSED(key)
    Q_UNUSED(queuedFor)
    return std::nullopt;
}

Result<LockAttempt> LockDialect::attemptOf(const redis::RespValue& answer) const {
    if (answer.isNull())
        return LockAttempt::taken();
    if (!answer.isInteger())
        return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
    return LockAttempt::heldByOther(answer.integer);
}

redis::Script LockDialect::script(std::initializer_list<const char*> files) {
    QStringList paths;
    for (const char* file : files)
        paths += QStringLiteral("locks/lua/%1.lua").arg(QLatin1StringView(file));
    return redis::Script::joined(paths);
}

}  // namespace lockkeeper::locks
