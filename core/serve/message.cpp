// SPDX-License-Identifier: Apache-2.0
#include "serve/message.h"

#include "base/isotime.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QUuid>

namespace lockkeeper::serve {

namespace {

const auto schema = QStringLiteral("lockkeeper-notify/1");
// Left for the fields outside the events.
constexpr qsizetype roomForFrame = 700;

// Of its events, so that two notifiers that see the same give their messages the same id.
QByteArray idOf(const Message& message) {
    constexpr qsizetype digits = 32;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QJsonValue& event : message.events)
        hash.addData(event.toObject().value(QStringLiteral("id")).toString().toLatin1());
    hash.addData(QByteArray::number(message.moreBegun) + ' ' + QByteArray::number(message.moreEnded));
    if (message.events.isEmpty())
        hash.addData(isoTimeBytes(message.at));
    return hash.result().toHex().first(digits);
}

}  // namespace

Message messageOf(const Gathered& gathered, WallTime at, qint64 dropped, const MessageWords& words) {
    Message message;
    message.at = at;
    message.moreBegun = gathered.moreBegun;
    message.moreEnded = gathered.moreEnded;
    message.dropped = dropped;
    qsizetype room = largestMessage - roomForFrame;
    for (const CaseEvent& event : gathered.named) {
        const QJsonObject object = toJson(event, words.event(event));
        room -= QJsonDocument(object).toJson(QJsonDocument::Compact).size() + 1;
        if (room >= 0)
            message.events.append(object);
        else if (event.phase == NoticeChange::Phase::Ended)
            ++message.moreEnded;
        else
            ++message.moreBegun;
    }
    message.id = idOf(message);
    message.summary = words.summary(message);
    return message;
}

Message testMessage(WallTime at, const QString& summary) {
    Message message;
    message.at = at;
    message.summary = summary;
    message.isTest = true;
    message.id = QUuid::createUuid().toByteArray(QUuid::Id128);
    return message;
}

QJsonObject toJson(const Message& message, int attempt) {
    QJsonObject object{{QStringLiteral("schema"), schema},
                       {QStringLiteral("id"), QString::fromLatin1(message.id)},
                       {QStringLiteral("at"), isoTime(message.at)},
                       {QStringLiteral("summary"), message.summary},
                       {QStringLiteral("events"), message.events}};
    if (message.moreBegun > 0 || message.moreEnded > 0)
        object.insert(QStringLiteral("more"), QJsonObject{{QStringLiteral("begun"), message.moreBegun},
                                                          {QStringLiteral("ended"), message.moreEnded}});
    if (message.dropped > 0)
        object.insert(QStringLiteral("dropped"), message.dropped);
    if (message.isTest)
        object.insert(QStringLiteral("test"), true);
    if (attempt > 0)
        object.insert(QStringLiteral("attempt"), attempt);
    return object;
}

std::optional<Message> messageFrom(const QByteArray& json) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    const std::optional<WallTime> at = timeFromIso(object.value(QStringLiteral("at")).toString());
    Message message;
    message.id = object.value(QStringLiteral("id")).toString().toLatin1();
    if (object.value(QStringLiteral("schema")).toString() != schema || !at || message.id.isEmpty())
        return std::nullopt;
    const QJsonObject more = object.value(QStringLiteral("more")).toObject();
    message.at = *at;
    message.summary = object.value(QStringLiteral("summary")).toString();
    message.events = object.value(QStringLiteral("events")).toArray();
    message.moreBegun = more.value(QStringLiteral("begun")).toInteger();
    message.moreEnded = more.value(QStringLiteral("ended")).toInteger();
    message.dropped = object.value(QStringLiteral("dropped")).toInteger();
    message.isTest = object.value(QStringLiteral("test")).toBool();
    return message;
}

}  // namespace lockkeeper::serve
