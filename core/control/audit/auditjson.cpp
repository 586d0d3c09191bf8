// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditjson.h"

#include "base/fromword.h"
#include "base/isotime.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/eventline.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::control {

namespace {

// The word for an action with a lock of this console.
QString ownWord(AuditAction action) {
    switch (action) {
        case AuditAction::Change:
            break;
        case AuditAction::Acquire:
            return QStringLiteral("acquire");
        case AuditAction::Release:
            return QStringLiteral("release");
        case AuditAction::Lost:
            return QStringLiteral("lost");
    }
    return {};
}

void addText(QJsonObject& object, const QString& field, const QString& text) {
    if (!text.isEmpty())
        object.insert(field, text);
}

QJsonArray queueOf(const monitor::LockSnapshot& lock) {
    QJsonArray queue;
    for (const monitor::FairWaiter& waiter : lock.fairQueue) {
        QJsonObject entry{{QStringLiteral("id"), waiter.id.display()}};
        if (waiter.deadline)
            entry.insert(QStringLiteral("deadline"), isoTime(*waiter.deadline));
        queue.append(entry);
    }
    return queue;
}

QJsonObject stateOf(const monitor::LockSnapshot& lock) {
    QJsonObject state = monitor::lockToJson(lock);
    state.insert(QStringLiteral("read_at"), isoTime(lock.seenAtWall));
    if (const QJsonArray queue = queueOf(lock); !queue.isEmpty())
        state.insert(QStringLiteral("queue"), queue);
    return state;
}

QList<monitor::FairWaiter> queueFrom(const QJsonObject& state) {
    QList<monitor::FairWaiter> queue;
    for (const QJsonValue& entry : state.value(QLatin1String("queue")).toArray()) {
        const std::optional<HolderId> id = HolderId::parseAny(entry[QLatin1String("id")].toString().toLatin1());
        if (id)
            queue.append({*id, timeFromIso(entry[QLatin1String("deadline")].toString())});
    }
    return queue;
}

std::optional<monitor::LockSnapshot> stateFrom(const QJsonObject& state) {
    std::optional<monitor::LockSnapshot> lock = monitor::lockFromJson(state);
    if (!lock)
        return std::nullopt;
    lock->fairQueue = queueFrom(state);
    lock->seenAtWall = timeFromIso(state.value(QLatin1String("read_at")).toString()).value_or(WallTime());
    return lock;
}

// The parts of the change that its kind does not imply.
void addChange(QJsonObject& object, const LockChange& change) {
    if (change.reader)
        addText(object, QStringLiteral("reader"), change.reader->id.display());
    if (change.waiter)
        addText(object, QStringLiteral("waiter"), change.waiter->id.display());
    if (change.holder)
        addText(object, QStringLiteral("released_holder"), change.holder->display());
    if (change.newHolder)
        addText(object, QStringLiteral("new_holder"), change.newHolder->display());
    if (change.permit)
        addText(object, QStringLiteral("permit"), QString::fromLatin1(change.permit->id.toHex()));
    if (change.permit && change.permit->ends)
        addText(object, QStringLiteral("lease_ended"), isoTime(*change.permit->ends));
    if (change.time > Milliseconds(0))
        object.insert(QStringLiteral("time_ms"), qint64{change.time.count()});
}

std::optional<HolderId> holderFrom(const QJsonValue& text) {
    return HolderId::parseAny(text.toString().toLatin1());
}

LockChange changeFrom(const QJsonObject& object, ChangeKind kind) {
    LockChange change;
    change.kind = kind;
    if (const std::optional<HolderId> reader = holderFrom(object.value(QLatin1String("reader"))))
        change.reader = monitor::Holder{*reader, monitor::HoldMode::Read, 1};
    if (const std::optional<HolderId> waiter = holderFrom(object.value(QLatin1String("waiter"))))
        change.waiter = monitor::FairWaiter{*waiter, std::nullopt};
    change.holder = holderFrom(object.value(QLatin1String("released_holder")));
    change.newHolder = holderFrom(object.value(QLatin1String("new_holder")));
    if (const QString permit = object.value(QLatin1String("permit")).toString(); !permit.isEmpty())
        change.permit = monitor::PermitLease{QByteArray::fromHex(permit.toLatin1()),
                                             timeFromIso(object.value(QLatin1String("lease_ended")).toString())};
    change.time = Milliseconds(object.value(QLatin1String("time_ms")).toInteger());
    return change;
}

// False if there is no such action.
bool readAction(const QJsonObject& object, AuditRecord& record) {
    const QString word = object.value(QLatin1String("action")).toString();
    if (const std::optional<ChangeKind> kind = fromWord<ChangeKind>(word)) {
        record.action = AuditAction::Change;
        record.change = changeFrom(object, *kind);
        return true;
    }
    using enum AuditAction;
    for (const AuditAction action : {Acquire, Release, Lost}) {
        if (ownWord(action) != word)
            continue;
        record.action = action;
        return true;
    }
    return false;
}

}  // namespace

QString wordForAction(const AuditRecord& record) {
    return record.action == AuditAction::Change ? wordFor(record.change.kind) : ownWord(record.action);
}

QString wordFor(AuditStep step) {
    switch (step) {
        case AuditStep::Intent:
            return QStringLiteral("intent");
        case AuditStep::Outcome:
            return QStringLiteral("outcome");
    }
    return {};
}

QString wordFor(ChangeKind kind) {
    switch (kind) {
        case ChangeKind::ReleaseLock:
            return QStringLiteral("force_release");
        case ChangeKind::ReleaseReader:
            return QStringLiteral("release_reader");
        case ChangeKind::ReleaseHolder:
            return QStringLiteral("release_holder");
        case ChangeKind::RemoveWaiter:
            return QStringLiteral("remove_waiter");
        case ChangeKind::WakeWaiters:
            return QStringLiteral("wake_waiters");
        case ChangeKind::SetExpiry:
            return QStringLiteral("set_expiry");
        case ChangeKind::Quarantine:
            return QStringLiteral("quarantine");
        case ChangeKind::QuarantineHolder:
            return QStringLiteral("quarantine_holder");
        case ChangeKind::GiveBackPermit:
            return QStringLiteral("return_permit");
    }
    return {};
}

QString wordFor(AuditOutcome outcome) {
    switch (outcome) {
        case AuditOutcome::Done:
            return QStringLiteral("done");
        case AuditOutcome::OtherHolder:
            return QStringLiteral("other_holder");
        case AuditOutcome::AlreadyFree:
            return QStringLiteral("already_free");
        case AuditOutcome::NotSent:
            return QStringLiteral("not_sent");
        case AuditOutcome::Failed:
            return QStringLiteral("failed");
        case AuditOutcome::Unknown:
            return QStringLiteral("unknown");
        case AuditOutcome::TakenBack:
            return QStringLiteral("taken_back");
    }
    return {};
}

QByteArray auditHash(const QByteArray& line) {
    return QCryptographicHash::hash(line, QCryptographicHash::Sha256).toHex();
}

QByteArray noAuditHash() {
    return QByteArray(64, '0');
}

QByteArray toAuditLine(const AuditRecord& record, const QByteArray& previous) {
    QJsonObject object{{QStringLiteral("at"), isoTime(record.at)},
                       {QStringLiteral("action"), wordForAction(record)},
                       {QStringLiteral("id"), record.id},
                       {QStringLiteral("step"), wordFor(record.step)},
                       {QStringLiteral("user"), record.user},
                       {QStringLiteral("host"), record.host},
                       {QStringLiteral("server"), record.place.server},
                       {QStringLiteral("previous"), QString::fromLatin1(previous)}};
    monitor::addBytes(object, QStringLiteral("lock"), record.lock.bytes());
    addChange(object, record.change);
    addText(object, QStringLiteral("profile"), record.place.profile);
    addText(object, QStringLiteral("environment"), record.place.environment);
    if (record.holder)
        object.insert(QStringLiteral("holder"), record.holder->display());
    addText(object, QStringLiteral("reason"), record.reason);
    addText(object, QStringLiteral("error"), record.error);
    if (record.step == AuditStep::Outcome)
        object.insert(QStringLiteral("outcome"), wordFor(record.outcome));
    if (record.wokeWaiters)
        object.insert(QStringLiteral("waiters_woken"), true);
    if (record.state)
        object.insert(QStringLiteral("state"), stateOf(*record.state));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<AuditLineContent> fromAuditLine(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto text = [&object](const char* field) { return object.value(QLatin1String(field)).toString(); };
    AuditLineContent content;
    AuditRecord& record = content.record;
    const bool hasAction = readAction(object, record);
    const std::optional<AuditStep> step = fromWord<AuditStep>(text("step"));
    const std::optional<WallTime> at = timeFromIso(text("at"));
    const std::optional<AuditOutcome> outcome = fromWord<AuditOutcome>(text("outcome"));
    if (!hasAction || !step || !at || (*step == AuditStep::Outcome && !outcome))
        return std::nullopt;
    content.previous = text("previous").toLatin1();
    record.id = text("id");
    record.holder = HolderId::parseAny(text("holder").toLatin1());
    record.step = *step;
    record.at = *at;
    record.user = text("user");
    record.host = text("host");
    record.place = {text("server"), text("profile"), text("environment")};
    record.lock = LockName(monitor::bytesFrom(object, QStringLiteral("lock")).value_or(QByteArray()));
    record.state = stateFrom(object.value(QLatin1String("state")).toObject());
    record.reason = text("reason");
    record.outcome = outcome.value_or(AuditOutcome::Unknown);
    record.error = text("error");
    record.wokeWaiters = object.value(QLatin1String("waiters_woken")).toBool();
    return content;
}

}  // namespace lockkeeper::control
