// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/lockdialect.h"

#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

namespace {

QStringList pathsOf(std::initializer_list<const char*> files) {
    QStringList paths;
    for (const char* file : files)
        paths += QStringLiteral("locks/lua/%1.lua").arg(QLatin1StringView(file));
    return paths;
}

}  // namespace

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
    return redis::Script::joined(pathsOf(files));
}

redis::Script LockDialect::publishingScript(std::initializer_list<const char*> files) {
    return locks::publishingScript(pathsOf(files));
}

redis::Script publishingScript(const QStringList& paths) {
    const auto with = [&paths](const char* publish) {
        return redis::Script::joined(pathsOf({publish}) + paths);
    };
    redis::Script script = with("publish");
    script.setForms(with("publish_both"), with("publish_sharded"));
    return script;
}

ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease) {
    static const redis::Script renew = redis::Script::embedded(QStringLiteral("locks/lua/renew.lua"));
    redis::Arguments names;
    redis::Arguments arguments;
    arguments.add(lease.count());
    for (const HoldKey& hold : holds) {
        names.add(hold.name.bytes());
        arguments.add(hold.field());
        arguments.add(hold.mode == HoldMode::Exclusive ? QByteArray() : LockKeys(hold.name).readTimeoutBase());
    }
    return {renew, std::move(names), arguments};
}

}  // namespace lockkeeper::locks
