// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/throughputjson.h"

#include "base/isotime.h"

#include <cmath>

namespace lockkeeper::monitor {

namespace {

const auto until = QStringLiteral("until");
const auto window = QStringLiteral("window_ms");
const auto releases = QStringLiteral("releases");
const auto releasesCounted = QStringLiteral("releases_counted");
const auto acquisitions = QStringLiteral("acquisitions_at_least");
const auto heldShare = QStringLiteral("held_share");
const auto reads = QStringLiteral("sampled_looks");
const auto holds = QStringLiteral("sampled_holds");
const auto median = QStringLiteral("hold_p50_ms");
const auto ninetyNinth = QStringLiteral("hold_p99_ms");

std::optional<Milliseconds> durationFrom(const QJsonObject& object, const QString& field) {
    return object.contains(field) ? std::optional(Milliseconds(object.value(field).toInteger())) : std::nullopt;
}

}  // namespace

QJsonObject toJson(const Throughput& throughput) {
    QJsonObject object{{until, isoTime(throughput.until)},
                       {window, static_cast<qint64>(throughput.window.count())},
                       {releases, static_cast<qint64>(throughput.releases)},
                       {releasesCounted, throughput.counting == Throughput::Releases::Counted},
                       {acquisitions, static_cast<qint64>(throughput.acquisitions)},
                       {heldShare, std::round(throughput.heldShare * 1000) / 1000},
                       {reads, throughput.reads},
                       {holds, throughput.holds}};
    if (throughput.median)
        object.insert(median, static_cast<qint64>(throughput.median->count()));
    if (throughput.ninetyNinth)
        object.insert(ninetyNinth, static_cast<qint64>(throughput.ninetyNinth->count()));
    return object;
}

std::optional<Throughput> throughputFromJson(const QJsonObject& object) {
    for (const QString& number : {window, releases, acquisitions, heldShare, reads, holds, median, ninetyNinth}) {
        const bool mayBeMissing = number == median || number == ninetyNinth;
        if (!object.value(number).isDouble() && !(mayBeMissing && !object.contains(number)))
            return std::nullopt;
    }
    const std::optional<WallTime> end = timeFromIso(object.value(until).toString());
    const Milliseconds length(object.value(window).toInteger());
    if (!end || length <= Milliseconds(0) || !object.value(releasesCounted).isBool())
        return std::nullopt;
    Throughput throughput;
    throughput.until = *end;
    throughput.window = length;
    throughput.releases = static_cast<quint64>(object.value(releases).toInteger());
    throughput.counting =
        object.value(releasesCounted).toBool() ? Throughput::Releases::Counted : Throughput::Releases::AtLeast;
    throughput.acquisitions = static_cast<quint64>(object.value(acquisitions).toInteger());
    throughput.reads = static_cast<int>(object.value(reads).toInteger());
    throughput.heldShare = object.value(heldShare).toDouble();
    throughput.holds = static_cast<int>(object.value(holds).toInteger());
    throughput.median = durationFrom(object, median);
    throughput.ninetyNinth = durationFrom(object, ninetyNinth);
    return throughput;
}

QString toText(const Throughput& throughput) {
    const bool counted = throughput.counting == Throughput::Releases::Counted;
    const QString rate = counted ? QStringLiteral("%1 releases/s") : QStringLiteral("at least %1 acquisitions/s");
    QString text =
        rate.arg(throughput.perSecond(counted ? throughput.releases : throughput.acquisitions), 0, 'f', 1) +
        QStringLiteral(", held %1 % of %2 reads").arg(throughput.heldShare * 100, 0, 'f', 0).arg(throughput.reads);
    if (throughput.median)
        text += QStringLiteral(", p50 %1 ms").arg(throughput.median->count());
    if (throughput.ninetyNinth)
        text += QStringLiteral(", p99 %1 ms").arg(throughput.ninetyNinth->count());
    return throughput.median ? text + QStringLiteral(" of %1 holds").arg(throughput.holds) : text;
}

}  // namespace lockkeeper::monitor
