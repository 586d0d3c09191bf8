// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/throughputjson.h"

#include "base/isotime.h"

#include <cmath>

namespace lockkeeper::monitor {

namespace {

constexpr char until[] = "until";
constexpr char window[] = "window_ms";
constexpr char releases[] = "releases";
constexpr char releasesCounted[] = "releases_counted";
constexpr char acquisitions[] = "acquisitions_at_least";
constexpr char heldAtLeast[] = "held_share_at_least";
constexpr char heldAtMost[] = "held_share_at_most";
constexpr char heldShare[] = "held_share";  // version 0.1, without bounds
constexpr char reads[] = "sampled_looks";
constexpr char holds[] = "sampled_holds";
constexpr char median[] = "hold_p50_ms";
constexpr char ninetyNinth[] = "hold_p99_ms";

std::optional<Milliseconds> durationFrom(const QJsonObject& object, QLatin1StringView field) {
    return object.contains(field) ? std::optional(Milliseconds(object.value(field).toInteger())) : std::nullopt;
}

double inThousandths(double share) {
    return std::round(share * 1000) / 1000;
}

// An old history has the share that was found, without what that says about the whole.
std::optional<Throughput::Share> shareFrom(const QJsonObject& object, int sampledReads) {
    const QJsonValue atLeast = object.value(QLatin1StringView(heldAtLeast));
    const QJsonValue atMost = object.value(QLatin1StringView(heldAtMost));
    if (atLeast.isDouble() && atMost.isDouble())
        return Throughput::Share{atLeast.toDouble(), atMost.toDouble()};
    const QJsonValue found = object.value(QLatin1StringView(heldShare));
    return found.isDouble() ? ifTelling(shareBySample(found.toDouble(), sampledReads)) : std::nullopt;
}

QString shareText(const Throughput& throughput) {
    if (!throughput.heldShare)
        return {};
    const QString atLeast = QString::number(throughput.heldShare->atLeast * 100, 'f', 0);
    const QString atMost = QString::number(throughput.heldShare->atMost * 100, 'f', 0);
    return QStringLiteral(", held %1 % by %2 reads")
        .arg(atLeast == atMost ? atLeast : QStringLiteral("%1-%2").arg(atLeast, atMost))
        .arg(throughput.reads);
}

}  // namespace

// The fields are in the order of their names, as in every line of JSON here.
void addThroughput(JsonWriter& json, const char* name, const Throughput& throughput) {
    json.beginObject(name);
    json.field(acquisitions, static_cast<qint64>(throughput.acquisitions));
    if (throughput.heldShare) {
        json.field(heldAtLeast, inThousandths(throughput.heldShare->atLeast));
        json.field(heldAtMost, inThousandths(throughput.heldShare->atMost));
    }
    if (throughput.median)
        json.field(median, static_cast<qint64>(throughput.median->count()));
    if (throughput.ninetyNinth)
        json.field(ninetyNinth, static_cast<qint64>(throughput.ninetyNinth->count()));
    json.field(releases, static_cast<qint64>(throughput.releases));
    json.field(releasesCounted, throughput.counting == Throughput::Releases::Counted);
    json.field(holds, qint64{throughput.holds});
    json.field(reads, qint64{throughput.reads});
    json.field(until, throughput.until);
    json.field(window, static_cast<qint64>(throughput.window.count()));
    json.endObject();
}

std::optional<Throughput> throughputFromJson(const QJsonObject& object) {
    for (const char* name : {window, releases, acquisitions, reads, holds, median, ninetyNinth}) {
        const QLatin1StringView field(name);
        const bool mayBeMissing = name == median || name == ninetyNinth;
        if (!object.value(field).isDouble() && !(mayBeMissing && !object.contains(field)))
            return std::nullopt;
    }
    const std::optional<WallTime> end = timeFromIso(object.value(QLatin1StringView(until)).toString());
    const Milliseconds length(object.value(QLatin1StringView(window)).toInteger());
    if (!end || length <= Milliseconds(0) || !object.value(QLatin1StringView(releasesCounted)).isBool())
        return std::nullopt;
    Throughput throughput;
    throughput.until = *end;
    throughput.window = length;
    throughput.releases = static_cast<quint64>(object.value(QLatin1StringView(releases)).toInteger());
    throughput.counting = object.value(QLatin1StringView(releasesCounted)).toBool() ? Throughput::Releases::Counted
                                                                                    : Throughput::Releases::AtLeast;
    throughput.acquisitions = static_cast<quint64>(object.value(QLatin1StringView(acquisitions)).toInteger());
    throughput.reads = static_cast<int>(object.value(QLatin1StringView(reads)).toInteger());
    throughput.heldShare = shareFrom(object, throughput.reads);
    throughput.holds = static_cast<int>(object.value(QLatin1StringView(holds)).toInteger());
    throughput.median = durationFrom(object, QLatin1StringView(median));
    throughput.ninetyNinth = durationFrom(object, QLatin1StringView(ninetyNinth));
    return throughput;
}

QString toText(const Throughput& throughput) {
    const bool counted = throughput.counting == Throughput::Releases::Counted;
    const QString rate = counted ? QStringLiteral("%1 releases/s") : QStringLiteral("at least %1 acquisitions/s");
    QString text = rate.arg(throughput.perSecond(counted ? throughput.releases : throughput.acquisitions), 0, 'f', 1) +
                   shareText(throughput);
    if (throughput.median)
        text += QStringLiteral(", p50 %1 ms").arg(throughput.median->count());
    if (throughput.ninetyNinth)
        text += QStringLiteral(", p99 %1 ms").arg(throughput.ninetyNinth->count());
    return throughput.median ? text + QStringLiteral(" of %1 holds").arg(throughput.holds) : text;
}

}  // namespace lockkeeper::monitor
