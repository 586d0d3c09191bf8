// SPDX-License-Identifier: Apache-2.0
#include "control/compareandrelease.h"

#include "locks/dialect/lockdialect.h"
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"
#include "redis/replyerrors.h"
#include "redis/script.h"

namespace lockkeeper::control {

namespace {

using monitor::Holder;
using monitor::HoldMode;
using monitor::LockKind;
using monitor::LockSnapshot;

const redis::Script& script() {
    static const redis::Script compareAndRelease = locks::publishingScript(
        {QStringLiteral("locks/lua/fair_queue.lua"), QStringLiteral("control/lua/compare_and_release.lua")});
    return compareAndRelease;
}

// The hash that is expected: field, value, field, value.
QByteArrayList fieldsOf(const LockSnapshot& lock) {
    QByteArrayList fields;
    bool written = false;
    for (const Holder& holder : lock.holders) {
        written = written || holder.mode == HoldMode::Write;
        fields += monitor::HolderField::of(holder).bytes();
        fields += QByteArray::number(holder.count);
    }
    if (lock.kind == LockKind::ReadWrite) {
        fields += "mode";
        fields += written ? "write" : "read";
    }
    return fields;
}

// As LockKeys::readTimeout(), also of a transaction.
QByteArray readTimeout(const locks::LockKeys& keys, const Holder& reader, qint64 hold) {
    const QByteArray field = monitor::HolderField::of(reader).bytes();
    return keys.readTimeoutBase() + field + ":rwlock_timeout:" + QByteArray::number(hold);
}

QByteArrayList keysOf(const LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    QByteArrayList names{keys.hash, keys.fairQueue, keys.fairTimeouts, keys.token};
    for (const Holder& holder : lock.holders) {
        for (qint64 hold = 1; holder.mode == HoldMode::Read && hold <= holder.count; ++hold)
            names += readTimeout(keys, holder, hold);
    }
    return names;
}

QByteArrayList argumentsOf(const LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    const QByteArrayList fields = fieldsOf(lock);
    const QByteArray token = lock.token ? QByteArray::number(*lock.token) : QByteArray();
    return QByteArrayList{keys.channel, keys.rwChannel, token, QByteArray::number(fields.size() / 2)} + fields;
}

std::optional<Error> unfit(const LockSnapshot& lock) {
    // A script's keys are passed on Lua's stack, whose size is limited. Far more holds than a correct program has.
    constexpr qint64 mostReadHolds = 4000;
    qint64 readHolds = 0;
    for (const Holder& holder : lock.holders)
        readHolds += holder.mode == HoldMode::Read ? holder.count : 0;
    if (lock.holders.isEmpty())
        return Error(ErrorCode::InvalidArgument, Cause::NoHolderToBreak);
    if (lock.kind == LockKind::Unknown || lock.kind == LockKind::FasterMulti)
        return Error(ErrorCode::InvalidArgument, Cause::UnknownKindToBreak);
    // Holders that were not read cannot be compared.
    if (lock.isCut())
        return Error(ErrorCode::InvalidArgument, Cause::TooManyReaders, {QString::number(lock.holderCount())});
    if (readHolds > mostReadHolds)
        return Error(ErrorCode::InvalidArgument, Cause::TooManyReadHolds, {QString::number(readHolds)});
    return std::nullopt;
}

Result<BreakOutcome> outcomeOf(const redis::RespValue& answer) {
    if (answer.isInteger() && answer.integer == 1)
        return BreakOutcome::Broken;
    if (answer.isInteger() && answer.integer == 0)
        return BreakOutcome::AlreadyFree;
    if (answer.isInteger() && answer.integer == -1)
        return BreakOutcome::Changed;
    return redis::unexpectedReply(redis::Command("EVALSHA"), answer);
}

}  // namespace

Task<Result<BreakOutcome>> compareAndRelease(topology::ShardConnections* connections, LockSnapshot confirmed, Deadline deadline, std::stop_token stop) {
    if (const std::optional<Error> error = unfit(confirmed))
        co_return *error;
    const redis::ScriptCall call(script(), keysOf(confirmed), argumentsOf(confirmed));
    const Completion<redis::RespValue> reply = connections->run(confirmed.name.bytes(), call, deadline);
    const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
    if (!answer) {
        const bool sent = answer.error().code == ErrorCode::Timeout || answer.error().code == ErrorCode::Cancelled;
        co_return sent ? Error(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime) : answer.error();
    }
    if (const std::optional<Error> silent = locks::notAnnounced(*answer))
        co_return *silent;
    co_return outcomeOf(*answer);
}

}  // namespace lockkeeper::control
