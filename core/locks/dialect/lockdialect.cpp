// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/lockdialect.h"

#include "base/safetext.h"
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

Result<LockAttempt> LockDialect::attemptOf(const HoldKey& key, const redis::RespValue& answer) const {
    if (answer.isNull())
        return LockAttempt::taken();
    if (m_reentry == Reentry::Refused && answer.type == redis::RespValue::Type::Array && answer.items.empty())
        return Error(ErrorCode::InvalidArgument, Cause::AlreadyHeld,
                     {boundedName(key.name), QString::number(static_cast<qint64>(key.holder.thread()))});
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
        return redis::Script::joined(pathsOf({"replicate_changes", "announce", publish}) + paths);
    };
    redis::Script script = with("publish");
    script.setForms(with("publish_both"), with("publish_sharded"));
    return script;
}

std::optional<Error> notAnnounced(const redis::RespValue& answer) {
    if (answer.type != redis::RespValue::Type::BulkString)  // what Lua's strings become
        return std::nullopt;
    return Error(ErrorCode::NotAnnounced, Cause::WaitersNotWoken, {bounded(QString::fromUtf8(answer.bytes))});
}

Result<qint64> numberIn(const redis::RespValue& answer) {
    if (const std::optional<Error> silent = notAnnounced(answer))
        return *silent;
    if (!answer.isInteger())
        return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
    return answer.integer;
}

ScriptCall removalOf(const QByteArrayList& keys) {
    static const redis::Script remove = redis::Script::embedded(QStringLiteral("locks/lua/remove.lua"));
    redis::Arguments all;
    for (const QByteArray& key : keys)
        all.add(key);
    return ScriptCall(remove, std::move(all), {});
}

ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease) {
    static const redis::Script renew = redis::Script::joined(pathsOf({"replicate_changes", "renew"}));
    redis::Arguments names;
    redis::Arguments arguments;
    arguments.add(lease.count());
    for (const HoldKey& hold : holds) {
        names.add(hold.name.bytes());
        arguments.add(hold.field());
        arguments.add(hold.mode == HoldMode::Exclusive ? QByteArray() : LockKeys(hold.name).readTimeoutBase());
    }
    ScriptCall renewal(renew, std::move(names), arguments);
    renewal.setTracked(true);
    return renewal;
}

ScriptCall checkOf(const std::vector<CheckedHold>& holds) {
    static const redis::Script check = redis::Script::joined(pathsOf({"replicate_changes", "check_holds"}));
    const LockName& name = holds.front().key.name;
    redis::Arguments arguments{LockKeys(name).readTimeoutBase()};
    for (const CheckedHold& hold : holds) {
        arguments.add(hold.key.field());
        arguments.add(hold.values.isEmpty() ? static_cast<qint64>(hold.left.size()) : -qint64{hold.values.size()});
        for (const Milliseconds each : hold.left)
            arguments.add(each.count());
        for (const QByteArray& value : hold.values)
            arguments.add(value);
    }
    ScriptCall call(check, {name.bytes()}, arguments);
    call.setTracked(true);
    return call;
}

}  // namespace lockkeeper::locks
