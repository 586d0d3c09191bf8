// SPDX-License-Identifier: Apache-2.0
#include "control/compareandrelease.h"

#include "control/consolecause.h"
#include "control/foundstate.h"
#include "locks/dialect/lockdialect.h"
#include "locks/lockkeys.h"
#include "locks/synchronizers/synchronizerkeys.h"
#include "monitor/model/holderfield.h"
#include "redis/replyerrors.h"

#include <QHash>

namespace lockkeeper::control {

namespace {

using monitor::Holder;
using monitor::HoldMode;
using monitor::LockKind;
using monitor::LockSnapshot;

QString fileOf(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::ReleaseLock:
            return QStringLiteral("control/lua/compare_and_release.lua");
        case ChangeKind::ReleaseReader:
            return QStringLiteral("control/lua/release_reader.lua");
        case ChangeKind::ReleaseHolder:
            return QStringLiteral("control/lua/release_values.lua");
        case ChangeKind::RemoveWaiter:
            return QStringLiteral("control/lua/remove_waiter.lua");
        case ChangeKind::WakeWaiters:
            return QStringLiteral("control/lua/wake_waiters.lua");
        case ChangeKind::SetExpiry:
            return QStringLiteral("control/lua/set_expiry.lua");
        case ChangeKind::Quarantine:
            return QStringLiteral("control/lua/quarantine.lua");
        case ChangeKind::QuarantineHolder:
            return QStringLiteral("control/lua/quarantine_values.lua");
        case ChangeKind::GiveBackPermit:
            return QStringLiteral("control/lua/give_back_permit.lua");
    }
    return {};
}

// The files before the script's own part.
QStringList partsOf(ChangeKind kind) {
    const auto sameHold = QStringLiteral("control/lua/same_hold.lua");
    const auto sameValues = QStringLiteral("control/lua/same_values.lua");
    const auto fairQueue = QStringLiteral("locks/lua/fair_queue.lua");
    switch (kind) {
        case ChangeKind::ReleaseLock:
        case ChangeKind::SetExpiry:
            return {fairQueue, sameHold, QStringLiteral("control/lua/other_queue.lua")};
        case ChangeKind::ReleaseReader:
            return {QStringLiteral("locks/lua/rw_holds.lua")};
        case ChangeKind::ReleaseHolder:
        case ChangeKind::QuarantineHolder:
            return {sameValues};
        case ChangeKind::RemoveWaiter:
        case ChangeKind::WakeWaiters:
            return {fairQueue};
        case ChangeKind::Quarantine:
            return {sameHold};
        case ChangeKind::GiveBackPermit:
            return {QStringLiteral("locks/lua/counter.lua"), QStringLiteral("locks/lua/permits.lua")};
    }
    return {};
}

QHash<ChangeKind, redis::Script> allScripts() {
    using enum ChangeKind;
    QHash<ChangeKind, redis::Script> scripts;
    for (const ChangeKind kind : {ReleaseLock, ReleaseReader, ReleaseHolder, RemoveWaiter, WakeWaiters, SetExpiry,
                                  Quarantine, QuarantineHolder, GiveBackPermit})
        scripts.insert(kind, locks::publishingScript(partsOf(kind) + QStringList{fileOf(kind)}));
    return scripts;
}

const redis::Script& scriptFor(ChangeKind kind) {
    static const QHash<ChangeKind, redis::Script> scripts = allScripts();
    return *scripts.constFind(kind);
}

// The expected hash: field, value, field, value.
QByteArrayList fieldsOf(const LockSnapshot& lock) {
    QByteArrayList fields;
    for (const monitor::LockField& field : lock.otherProgram())
        fields << field.name << field.value;
    if (lock.isOfOtherProgram())
        return fields;
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

// As LockKeys::readTimeout(), but also for a transaction.
QByteArray readTimeout(const locks::LockKeys& keys, const Holder& reader, qint64 hold) {
    const QByteArray field = monitor::HolderField::of(reader).bytes();
    return keys.readTimeoutBase() + field + ":rwlock_timeout:" + QByteArray::number(hold);
}

QByteArrayList readTimeouts(const locks::LockKeys& keys, const Holder& holder) {
    QByteArrayList names;
    for (qint64 hold = 1; holder.mode == HoldMode::Read && hold <= holder.count; ++hold)
        names += readTimeout(keys, holder, hold);
    return names;
}

QByteArrayList keysOf(const LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    QByteArrayList names{keys.hash(), keys.fairQueue(), keys.fairTimeouts(), keys.token()};
    for (const Holder& holder : lock.holders)
        names += readTimeouts(keys, holder);
    return names;
}

QByteArrayList argumentsOf(const LockSnapshot& lock) {
    const locks::LockKeys keys(lock.name);
    const QByteArrayList fields = fieldsOf(lock);
    const QByteArray token = lock.token ? QByteArray::number(*lock.token) : QByteArray();
    return QByteArrayList{keys.channel(), keys.rwChannel(), token, QByteArray::number(fields.size() / 2)} + fields;
}

// A script's keys are passed on Lua's stack, whose size is limited. This is far more holds than a correct program has.
constexpr qint64 mostReadHolds = 4000;

std::optional<Error> unfit(const LockSnapshot& lock) {
    qint64 readHolds = 0;
    for (const Holder& holder : lock.holders)
        readHolds += holder.mode == HoldMode::Read ? holder.count : 0;
    if (lock.holders.isEmpty())
        return Error(ErrorCode::InvalidArgument, ConsoleCause::NoHolderToBreak);
    const bool isDecoded = lock.kind != LockKind::Unknown || lock.isOfOtherProgram();
    if (!isDecoded || lock.kind == LockKind::FasterMulti)
        return Error(ErrorCode::InvalidArgument, ConsoleCause::UnknownKindToBreak);
    // Holders that were not read cannot be compared.
    if (lock.isCut())
        return Error(ErrorCode::InvalidArgument, ConsoleCause::TooManyReaders, {QString::number(lock.holderCount())});
    if (readHolds > mostReadHolds)
        return Error(ErrorCode::InvalidArgument, ConsoleCause::TooManyReadHolds, {QString::number(readHolds)});
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

// ---- the scripts of each kind of change ----

Milliseconds leaseOf(const LockChange& change) {
    return isQuarantine(change.kind) ? change.time + quarantineMargin : change.time;
}

Holder quarantineHolder(const LockSnapshot& lock, const HolderId& id) {
    return {id, lock.kind == LockKind::ReadWrite ? HoldMode::Write : HoldMode::Exclusive, 1};
}

Result<ChangeScript> wholeLockScript(const LockSnapshot& lock, const LockChange& change) {
    if (const std::optional<Error> error = unfit(lock))
        return *error;
    // By its own rules the other program may not see that this console holds it.
    if (lock.isOfOtherProgram() && change.kind == ChangeKind::Quarantine)
        return Error(ErrorCode::InvalidArgument, ConsoleCause::UnknownKindToBreak);
    ChangeScript made{fileOf(change.kind), scriptFor(change.kind), keysOf(lock), argumentsOf(lock)};
    if (change.kind == ChangeKind::Quarantine)
        made.arguments += monitor::HolderField::of(quarantineHolder(lock, *change.newHolder)).bytes();
    if (change.kind != ChangeKind::ReleaseLock)
        made.arguments += QByteArray::number(qint64{leaseOf(change).count()});
    return made;
}

Result<ChangeScript> readerScript(const LockSnapshot& lock, const Holder& reader) {
    if (reader.count > mostReadHolds)
        return Error(ErrorCode::InvalidArgument, ConsoleCause::TooManyReadHolds, {QString::number(reader.count)});
    const locks::LockKeys keys(lock.name);
    return ChangeScript{
        fileOf(ChangeKind::ReleaseReader),
        scriptFor(ChangeKind::ReleaseReader),
        QByteArrayList{keys.hash(), keys.rwChannel()} + readTimeouts(keys, reader),
        {keys.readTimeoutBase(), monitor::HolderField::of(reader).bytes(), QByteArray::number(reader.count)}};
}

Result<ChangeScript> holderScript(const LockSnapshot& lock, const LockChange& change) {
    const locks::LockKeys keys(lock.name);
    const QList<monitor::HeldValue> values = valuesOf(lock, *change.holder);
    if (values.isEmpty())
        return Error(ErrorCode::InvalidArgument, ConsoleCause::NoHolderToBreak);
    ChangeScript made{fileOf(change.kind), scriptFor(change.kind), {keys.hash()}, {change.holder->bytes()}};
    if (change.kind == ChangeKind::ReleaseHolder)
        made.arguments << keys.channel();
    else
        made.arguments << change.newHolder->bytes() << QByteArray::number(qint64{leaseOf(change).count()});
    for (const monitor::HeldValue& held : values)
        made.arguments << held.value << QByteArray::number(held.count);
    return made;
}

// Releases values that this console has in quarantine.
redis::ScriptCall releaseOfOwnValues(const LockSnapshot& held) {
    static const redis::Script release =
        locks::publishingScript({QStringLiteral("control/lua/release_own_values.lua")});
    const locks::LockKeys keys(held.name);
    redis::Arguments arguments{keys.channel(), held.holders.first().id.bytes()};
    for (const monitor::HeldValue& value : held.values())
        arguments.add(value.value);
    return redis::ScriptCall(release, {keys.hash()}, arguments);
}

// The deadline in epoch ms; empty if there is none.
QByteArray deadlineOf(const monitor::FairWaiter& waiter) {
    if (!waiter.deadline)
        return {};
    return QByteArray::number(qint64{std::chrono::floor<Milliseconds>(waiter.deadline->time_since_epoch()).count()});
}

ChangeScript queueScript(const LockSnapshot& lock, const LockChange& change) {
    const locks::LockKeys keys(lock.name);
    const QByteArray waiter = change.waiter ? change.waiter->id.bytes() : QByteArray();
    ChangeScript made{fileOf(change.kind),
                      scriptFor(change.kind),
                      {keys.hash(), keys.fairQueue(), keys.fairTimeouts()},
                      {keys.channel()}};
    if (change.kind == ChangeKind::WakeWaiters)
        made.arguments << keys.rwChannel() << waiter;
    else
        made.arguments << waiter << deadlineOf(*change.waiter);
    return made;
}

ChangeScript permitScript(const LockName& name, const LockChange& change) {
    const monitor::PermitLease& permit = *change.permit;
    const auto ends = std::chrono::floor<Milliseconds>(permit.ends->time_since_epoch());
    return ChangeScript{fileOf(change.kind),
                        scriptFor(change.kind),
                        {name.bytes(), locks::permitLeases(name)},
                        {locks::semaphoreChannel(name), permit.id, QByteArray::number(qint64{ends.count()})}};
}

bool isComplete(const LockChange& change) {
    switch (change.kind) {
        case ChangeKind::ReleaseLock:
        case ChangeKind::WakeWaiters:
            return true;
        case ChangeKind::ReleaseReader:
            return change.reader && change.reader->mode == HoldMode::Read;
        case ChangeKind::ReleaseHolder:
            return change.holder.has_value();
        case ChangeKind::RemoveWaiter:
            return change.waiter.has_value();
        case ChangeKind::SetExpiry:
            return change.time.count() > 0;
        case ChangeKind::Quarantine:
            return change.time.count() > 0 && change.newHolder;
        case ChangeKind::QuarantineHolder:
            return change.time.count() > 0 && change.holder && change.newHolder;
        case ChangeKind::GiveBackPermit:
            return change.permit && change.permit->ends;
    }
    return false;
}

Task<Result<BreakOutcome>> run(topology::ShardConnections* connections, LockName name, redis::ScriptCall call,
                               Deadline deadline, std::stop_token stop, redis::BeforeSendingAgain beforeAgain) {
    const Completion<redis::RespValue> reply = connections->run(name.bytes(), call, deadline, std::move(beforeAgain));
    const Result<redis::RespValue> answer = co_await reply.wait(deadline, stop);
    if (!answer) {
        const bool sent = answer.error().code == ErrorCode::Timeout || answer.error().code == ErrorCode::Cancelled;
        co_return sent ? Error(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime) : answer.error();
    }
    if (const std::optional<Error> silent = locks::notAnnounced(*answer))
        co_return *silent;
    co_return outcomeOf(*answer);
}

}  // namespace

LockSnapshot heldInQuarantine(const LockSnapshot& confirmed, const LockChange& change) {
    LockSnapshot held = confirmed;
    held.holders = {quarantineHolder(confirmed, *change.newHolder)};
    if (change.kind == ChangeKind::QuarantineHolder) {
        monitor::LockParts parts;
        for (const monitor::HeldValue& taken : valuesOf(confirmed, *change.holder))
            parts.values += monitor::HeldValue{taken.value, *change.newHolder, 1, std::nullopt};
        held.parts = std::make_shared<const monitor::LockParts>(parts);
    }
    return held;
}

Result<ChangeScript> changeScript(const LockSnapshot& confirmed, const LockChange& change) {
    if (!isComplete(change))
        return Error(ErrorCode::InvalidArgument, ConsoleCause::NoHolderToBreak);
    switch (change.kind) {
        case ChangeKind::ReleaseReader:
            return readerScript(confirmed, *change.reader);
        case ChangeKind::ReleaseHolder:
        case ChangeKind::QuarantineHolder:
            return holderScript(confirmed, change);
        case ChangeKind::RemoveWaiter:
        case ChangeKind::WakeWaiters:
            return queueScript(confirmed, change);
        case ChangeKind::GiveBackPermit:
            return permitScript(confirmed.name, change);
        case ChangeKind::ReleaseLock:
        case ChangeKind::SetExpiry:
        case ChangeKind::Quarantine:
            break;
    }
    return wholeLockScript(confirmed, change);
}

Outcome outcomeOf(BreakOutcome broken) {
    switch (broken) {
        case BreakOutcome::Broken:
            return Outcome::ForceReleased;
        case BreakOutcome::AlreadyFree:
            return Outcome::AlreadyFree;
        case BreakOutcome::Changed:
            return Outcome::HolderChanged;
    }
    return Outcome::Failed;
}

Task<Result<BreakOutcome>> applyChange(topology::ShardConnections* connections, LockSnapshot confirmed,
                                       LockChange change, Deadline deadline, std::stop_token stop,
                                       redis::BeforeSendingAgain beforeAgain) {
    const Result<ChangeScript> made = changeScript(confirmed, change);
    if (!made)
        co_return made.error();
    const redis::ScriptCall call(made->script, made->keys, made->arguments);
    const Result<BreakOutcome> outcome =
        co_await run(connections, confirmed.name, call, deadline, stop, std::move(beforeAgain));
    co_return outcome;
}

Task<Result<BreakOutcome>> compareAndRelease(topology::ShardConnections* connections, LockSnapshot confirmed,
                                             Deadline deadline, std::stop_token stop) {
    const LockChange release;
    const Result<BreakOutcome> outcome = co_await applyChange(connections, confirmed, release, deadline, stop);
    co_return outcome;
}

Task<Result<BreakOutcome>> releaseQuarantine(topology::ShardConnections* connections, LockSnapshot held,
                                             Deadline deadline, std::stop_token stop) {
    if (held.kind != LockKind::FasterMulti) {
        const Result<BreakOutcome> released = co_await compareAndRelease(connections, held, deadline, stop);
        co_return released;
    }
    const redis::ScriptCall call = releaseOfOwnValues(held);
    const Result<BreakOutcome> released = co_await run(connections, held.name, call, deadline, stop, {});
    co_return released;
}

}  // namespace lockkeeper::control
