#include "locks/dialect/lockdialect.h"

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

redis::Script LockDialect::joined(const QString& shared, const QString& own) {
    const QString path = QStringLiteral("locks/lua/%1.lua");
    return redis::Script(redis::Script::embedded(path.arg(shared)).source() +
                         redis::Script::embedded(path.arg(own)).source());
}

}  // namespace lockkeeper::locks
