// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/waitsjson.h"

#include "base/isotime.h"

#include <QJsonArray>
#include <QStringList>

namespace lockkeeper::monitor {

namespace {

using Length = WaitTimes::Length;

constexpr qsizetype mostInText = 3;

void addLength(JsonWriter& json, const char* atMostField, const char* field, const Length& length) {
    json.field(atMostField, static_cast<qint64>(length.atMost.count()));
    json.field(field, static_cast<qint64>(length.atLeast.count()));
}

Milliseconds duration(const QJsonObject& object, const char* field) {
    return Milliseconds(object.value(QLatin1StringView(field)).toInteger());
}

std::optional<Length> lengthFrom(const QJsonObject& object, const char* atMostField, const char* field) {
    if (!object.contains(QLatin1StringView(field)))
        return std::nullopt;
    return Length{duration(object, field), duration(object, atMostField)};
}

std::optional<WaitTimes> timesFrom(const QJsonObject& object) {
    WaitTimes times;
    times.waits = static_cast<int>(object.value(QLatin1String("waits")).toInteger());
    const std::optional<Length> longest = lengthFrom(object, "longest_at_most_ms", "longest_ms");
    if (times.waits <= 0 || !longest)
        return std::nullopt;
    times.longest = *longest;
    times.median = lengthFrom(object, "p50_at_most_ms", "p50_ms");
    times.ninetyNinth = lengthFrom(object, "p99_at_most_ms", "p99_ms");
    times.free = duration(object, "free_ms");
    times.waited = duration(object, "waited_ms");
    return times;
}

std::optional<WaitingSince> waitingFrom(const QJsonObject& object) {
    const std::optional<WallTime> latest = timeFromIso(object.value(QLatin1String("since")).toString());
    if (!latest)
        return std::nullopt;
    WaitingSince waiting;
    waiting.latest = *latest;
    waiting.earliest = timeFromIso(object.value(QLatin1String("not_before")).toString());
    waiting.clients = static_cast<int>(object.value(QLatin1String("clients")).toInteger(1));
    waiting.waiter = HolderId::parse(object.value(QLatin1String("waiter")).toString().toLatin1());
    return waiting;
}

QString sinceText(const WaitingSince& waiting) {
    return QStringLiteral("%1 since %2%3")
        .arg(waiting.clients)
        .arg(waiting.isBeginSeen() ? QString() : QStringLiteral("before "), clockTime(waiting.latest));
}

}  // namespace

// The fields are in the order of their names, as in every line of JSON here.
void addWaiting(JsonWriter& json, const char* name, const QList<WaitingSince>& waiting, const AliasOf& aliasOf) {
    if (waiting.isEmpty())
        return;
    json.beginArray(name);
    for (const WaitingSince& one : waiting) {
        json.beginObject();
        const QString alias = one.waiter ? aliasOf(one.waiter->client()) : QString();
        if (!alias.isEmpty())
            json.field("alias", alias);
        json.field("clients", qint64{one.clients});
        if (one.earliest)
            json.field("not_before", *one.earliest);
        json.field("since", one.latest);
        if (one.waiter)
            json.bytes("waiter", one.waiter->bytes());
        json.endObject();
    }
    json.endArray();
}

void addWaitTimes(JsonWriter& json, const char* name, const WaitTimes& times) {
    json.beginObject(name);
    json.field("free_ms", static_cast<qint64>(times.free.count()));
    addLength(json, "longest_at_most_ms", "longest_ms", times.longest);
    if (times.median)
        addLength(json, "p50_at_most_ms", "p50_ms", *times.median);
    if (times.ninetyNinth)
        addLength(json, "p99_at_most_ms", "p99_ms", *times.ninetyNinth);
    json.field("waited_ms", static_cast<qint64>(times.waited.count()));
    json.field("waits", qint64{times.waits});
    json.endObject();
}

Waits waitsFromJson(const QJsonObject& event) {
    Waits waits;
    for (const QJsonValue& value : event.value(QLatin1String("waiting")).toArray()) {
        if (const std::optional<WaitingSince> waiting = waitingFrom(value.toObject()))
            waits.present += *waiting;
    }
    waits.past = timesFrom(event.value(QLatin1String("wait_times")).toObject());
    return waits;
}

QString waitsText(const Waits& waits) {
    QStringList parts;
    for (const WaitingSince& waiting : waits.present.first(std::min(mostInText, waits.present.size())))
        parts += sinceText(waiting);
    if (waits.present.size() > mostInText)
        parts += QStringLiteral("...");
    QString text = parts.isEmpty() ? QString() : QStringLiteral("  waiting ") + parts.join(QLatin1String(", "));
    if (waits.past)
        text += QStringLiteral("  longest wait of %1: %2 ms, free of all %3 ms")
                    .arg(waits.past->waits)
                    .arg(waits.past->longest.atLeast.count())
                    .arg(waits.past->free.count());
    return text;
}

}  // namespace lockkeeper::monitor
