// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditjson.h"

#include "base/isotime.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/eventline.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::control {

namespace {

QString wordFor(AuditAction action) {
    switch (action) {
        case AuditAction::ForceRelease:
            return QStringLiteral("force_release");
        case AuditAction::Acquire:
            return QStringLiteral("acquire");
        case AuditAction::Release:
            return QStringLiteral("release");
        case AuditAction::Lost:
            return QStringLiteral("lost");
    }
    return {};
}

QString wordFor(AuditStep step) {
    return step == AuditStep::Intent ? QStringLiteral("intent") : QStringLiteral("outcome");
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
        const std::optional<HolderId> id = HolderId::parse(entry[QLatin1String("id")].toString().toLatin1());
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

std::optional<AuditAction> actionFrom(const QString& word) {
    using enum AuditAction;
    for (const AuditAction action : {ForceRelease, Acquire, Release, Lost}) {
        if (wordFor(action) == word)
            return action;
    }
    return std::nullopt;
}

std::optional<AuditStep> stepFrom(const QString& word) {
    for (const AuditStep step : {AuditStep::Intent, AuditStep::Outcome}) {
        if (wordFor(step) == word)
            return step;
    }
    return std::nullopt;
}

std::optional<AuditOutcome> outcomeFrom(const QString& word) {
    using enum AuditOutcome;
    for (const AuditOutcome outcome : {Done, OtherHolder, AlreadyFree, NotSent, Failed, Unknown}) {
        if (control::wordFor(outcome) == word)
            return outcome;
    }
    return std::nullopt;
}

}  // namespace

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
                       {QStringLiteral("action"), wordFor(record.action)},
                       {QStringLiteral("id"), record.id},
                       {QStringLiteral("step"), wordFor(record.step)},
                       {QStringLiteral("user"), record.user},
                       {QStringLiteral("host"), record.host},
                       {QStringLiteral("server"), record.place.server},
                       {QStringLiteral("previous"), QString::fromLatin1(previous)}};
    monitor::addBytes(object, QStringLiteral("lock"), record.lock.bytes());
    addText(object, QStringLiteral("profile"), record.place.profile);
    addText(object, QStringLiteral("environment"), record.place.environment);
    if (record.holder)
        object.insert(QStringLiteral("holder"), record.holder->display());
    addText(object, QStringLiteral("reason"), record.reason);
    addText(object, QStringLiteral("error"), record.error);
    if (record.step == AuditStep::Outcome)
        object.insert(QStringLiteral("outcome"), control::wordFor(record.outcome));
    if (record.state)
        object.insert(QStringLiteral("state"), stateOf(*record.state));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<AuditLineContent> fromAuditLine(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto text = [&object](const char* field) { return object.value(QLatin1String(field)).toString(); };
    const std::optional<AuditAction> action = actionFrom(text("action"));
    const std::optional<AuditStep> step = stepFrom(text("step"));
    const std::optional<WallTime> at = timeFromIso(text("at"));
    const std::optional<AuditOutcome> outcome = outcomeFrom(text("outcome"));
    if (!action || !step || !at || (*step == AuditStep::Outcome && !outcome))
        return std::nullopt;
    AuditLineContent content;
    content.previous = text("previous").toLatin1();
    AuditRecord& record = content.record;
    record.action = *action;
    record.id = text("id");
    record.holder = HolderId::parse(text("holder").toLatin1());
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
    return content;
}

}  // namespace lockkeeper::control
