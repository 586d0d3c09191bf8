// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/statsjson.h"

#include "base/isotime.h"
#include "base/safetext.h"
#include "monitor/format/eventline.h"
#include "monitor/format/watchingwords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

constexpr qsizetype namesInLine = 100;

QStringList blindSpotWords(const MonitorStats& stats) {
    QStringList words;
    for (const BlindSpot spot : blindSpotsOf(stats))
        words += wordFor(spot);
    return words;
}

// Why nothing is watched, or not in a better way.
QString sourceReason(const MonitorStats& stats) {
    const bool isLost = stats.observation == ObservationMode::None && stats.master && stats.master->error;
    return isLost ? stats.master->error->text : reasonLine(stats.observationLimit);
}

QByteArray compact(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QJsonArray replicasJson(const QList<redis::Replica>& replicas) {
    QJsonArray list;
    for (const redis::Replica& replica : replicas)
        list +=
            QJsonObject{{QStringLiteral("node"), replica.address}, {QStringLiteral("behind_bytes"), replica.behind}};
    return list;
}

}  // namespace

QByteArray sourceToJsonLine(const MonitorStats& stats, WallTime at) {
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), QStringLiteral("source")},
                       {QStringLiteral("source"), wordFor(stats.observation)},
                       {QStringLiteral("blind_spots"), QJsonArray::fromStringList(blindSpotWords(stats))},
                       {QStringLiteral("denied"), QJsonArray::fromStringList(denialLines(stats.denied))}};
    if (stats.noticesNewNames)
        object.insert(QStringLiteral("subkey_notifications"), true);
    if (stats.writeReports != WriteReports::NotYet)
        object.insert(QStringLiteral("write_reports"), wordFor(stats.writeReports));
    if (const QString reason = sourceReason(stats); !reason.isEmpty())
        object.insert(QStringLiteral("reason"), reason);
    return compact(object);
}

QString sourceToTextLine(const MonitorStats& stats, WallTime at) {
    QString line = textLine(QStringLiteral("source"), at) + wordFor(stats.observation);
    if (const QString reason = sourceReason(stats); !reason.isEmpty())
        line += QStringLiteral(" (%1)").arg(reason);
    if (stats.noticesNewNames)
        line += QStringLiteral(", subkey notifications");
    if (stats.writeReports != WriteReports::NotYet)
        line += QStringLiteral(", write reports: ") + wordFor(stats.writeReports);
    if (const QStringList spots = blindSpotWords(stats); !spots.isEmpty())
        line += QStringLiteral("  not seen: ") + spots.join(QStringLiteral(", "));
    for (const QString& denial : denialLines(stats.denied))
        line += QStringLiteral("  denied: ") + denial;
    return line;
}

QByteArray progressToJsonLine(const MonitorStats& stats, WallTime at) {
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), QStringLiteral("progress")},
                       {QStringLiteral("keys"), static_cast<qint64>(stats.keysThisSweep)}};
    if (stats.databaseSize > 0)
        object.insert(QStringLiteral("database_keys"), stats.databaseSize);
    return compact(object);
}

QString progressToTextLine(const MonitorStats& stats, WallTime at) {
    QString line = textLine(QStringLiteral("progress"), at) + QString::number(stats.keysThisSweep);
    if (stats.databaseSize > 0)
        line += QStringLiteral(" of %1").arg(stats.databaseSize);
    return line + QStringLiteral(" keys scanned");
}

QByteArray litterToJsonLine(const TokenLitter& litter, DiagnosisPhase phase, WallTime at) {
    const QJsonObject evidence{{QStringLiteral("tokens_estimated"), static_cast<qint64>(litter.estimate)},
                               {QStringLiteral("tokens_found"), static_cast<qint64>(litter.found)},
                               {QStringLiteral("keys_sampled"), static_cast<qint64>(litter.sampledKeys)},
                               {QStringLiteral("checked"), litter.checked},
                               {QStringLiteral("left_over"), litter.leftOver}};
    return compact({{QStringLiteral("at"), isoTime(at)},
                    {QStringLiteral("event"), wordFor(EventType::Diagnosed)},
                    {QStringLiteral("diagnosis"), QStringLiteral("token_litter")},
                    {QStringLiteral("phase"), wordFor(phase)},
                    {QStringLiteral("certainty"), wordFor(Certainty::Likely)},
                    {QStringLiteral("evidence"), evidence},
                    {QStringLiteral("issues"), QJsonArray{tokenLitterIssue}}});
}

QString litterToTextLine(const TokenLitter& litter, DiagnosisPhase phase, WallTime at) {
    return textLine(wordFor(EventType::Diagnosed), at) +
           QStringLiteral(
               "%1 token_litter: likely  about %2 tokens of fenced locks without a TTL (%3 in a sample of %4 keys)")
               .arg(wordFor(phase))
               .arg(litter.estimate)
               .arg(litter.found)
               .arg(litter.sampledKeys);
}

QByteArray leaseLitterToJsonLine(const LeaseLitter& litter, DiagnosisPhase phase, WallTime at) {
    const QJsonObject evidence{{QStringLiteral("left_over_estimated"), static_cast<qint64>(litter.estimate())},
                               {QStringLiteral("lease_sets"), static_cast<qint64>(litter.found)},
                               {QStringLiteral("checked"), litter.checked},
                               {QStringLiteral("left_over"), litter.leftOver}};
    return compact({{QStringLiteral("at"), isoTime(at)},
                    {QStringLiteral("event"), wordFor(EventType::Diagnosed)},
                    {QStringLiteral("diagnosis"), QStringLiteral("lease_litter")},
                    {QStringLiteral("phase"), wordFor(phase)},
                    {QStringLiteral("certainty"), wordFor(Certainty::Likely)},
                    {QStringLiteral("evidence"), evidence},
                    {QStringLiteral("issues"), QJsonArray()}});
}

QString leaseLitterToTextLine(const LeaseLitter& litter, DiagnosisPhase phase, WallTime at) {
    return textLine(wordFor(EventType::Diagnosed), at) +
           QStringLiteral("%1 lease_litter: likely  about %2 of %3 sets of permit leases have no semaphore")
               .arg(wordFor(phase))
               .arg(litter.estimate())
               .arg(litter.found);
}

QByteArray stormToJsonLine(const ScriptStorm& storm, DiagnosisPhase phase, WallTime at) {
    QJsonObject evidence{{QStringLiteral("noscript_errors"), static_cast<qint64>(storm.errors)},
                         {QStringLiteral("most_per_second"), storm.mostPerSecond},
                         {QStringLiteral("since"), isoTime(storm.since)},
                         {QStringLiteral("last"), isoTime(storm.last)}};
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), wordFor(EventType::Diagnosed)},
                       {QStringLiteral("diagnosis"), QStringLiteral("script_storm")},
                       {QStringLiteral("phase"), wordFor(phase)},
                       {QStringLiteral("certainty"), wordFor(storm.certainty())},
                       {QStringLiteral("evidence"), evidence},
                       {QStringLiteral("issues"), QJsonArray()}};
    if (!storm.node.isEmpty())
        object.insert(QStringLiteral("node"), storm.node);
    return compact(object);
}

QString stormToTextLine(const ScriptStorm& storm, DiagnosisPhase phase, WallTime at) {
    const QString line = textLine(wordFor(EventType::Diagnosed), at) +
                         QStringLiteral("%1 script_storm: %2  %3 answers NOSCRIPT, up to %4 a second")
                             .arg(wordFor(phase), wordFor(storm.certainty()))
                             .arg(storm.errors)
                             .arg(storm.mostPerSecond);
    return storm.node.isEmpty() ? line : line + QStringLiteral(", on ") + storm.node;
}

QList<StormChange> changedStorms(const QList<ScriptStorm>& before, const QList<ScriptStorm>& now) {
    const auto isAmong = [](const ScriptStorm& storm, const QList<ScriptStorm>& others) {
        return std::ranges::any_of(others, [&storm](const ScriptStorm& other) {
            return other.node == storm.node && other.since == storm.since;
        });
    };
    QList<StormChange> changes;
    for (const ScriptStorm& storm : before) {
        if (!isAmong(storm, now))
            changes += StormChange{storm, DiagnosisPhase::Ended};
    }
    for (const ScriptStorm& storm : now) {
        if (!isAmong(storm, before))
            changes += StormChange{storm, DiagnosisPhase::Begun};
    }
    return changes;
}

QByteArray nodeToJsonLine(const NodeStatus& node, WallTime at) {
    QJsonObject object{{QStringLiteral("at"), isoTime(at)},
                       {QStringLiteral("event"), QStringLiteral("node")},
                       {QStringLiteral("node"), node.address},
                       {QStringLiteral("role"), QStringLiteral("master")},
                       {QStringLiteral("state"), wordFor(node.phase)}};
    if (node.error)
        object.insert(QStringLiteral("reason"), node.error->text);
    if (node.lastHeard != WallTime())
        object.insert(QStringLiteral("last_seen"), isoTime(node.lastHeard));
    if (!node.serverVersion.isEmpty())
        object.insert(QStringLiteral("version"), QString::fromLatin1(node.serverVersion));
    if (node.replicas)
        object.insert(QStringLiteral("replicas"), replicasJson(*node.replicas));
    return compact(object);
}

QString nodeToTextLine(const NodeStatus& node, WallTime at) {
    const QString line = textLine(QStringLiteral("node"), at) + node.address + QLatin1Char(' ') + wordFor(node.phase);
    return node.error ? QStringLiteral("%1: %2").arg(line, node.error->text) : line;
}

QList<NodeStatus> changedNodes(const QList<NodeStatus>& before, const QList<NodeStatus>& now) {
    QList<NodeStatus> changed;
    for (const NodeStatus& node : now) {
        const bool isSame = std::ranges::any_of(before, [&node](const NodeStatus& earlier) {
            return earlier.shard == node.shard && earlier.address == node.address && earlier.phase == node.phase;
        });
        if (!isSame && node.phase != NodePhase::Connecting)
            changed += node;
    }
    return changed;
}

QByteArray gapsToJsonLine(const MonitorStats& stats, WallTime at) {
    QJsonArray names;
    for (const LockName& name : stats.notRead.first(std::min(namesInLine, stats.notRead.size())))
        names += name.display();
    return compact({{QStringLiteral("at"), isoTime(at)},
                    {QStringLiteral("event"), QStringLiteral("gaps")},
                    {QStringLiteral("slots_not_served"), topology::displayOf(stats.unservedSlots)},
                    {QStringLiteral("names_not_read"), stats.notRead.size()},
                    {QStringLiteral("names"), names}});
}

QString gapsToTextLine(const MonitorStats& stats, WallTime at) {
    QString line = textLine(QStringLiteral("gaps"), at) + QStringLiteral("slots not served: ");
    line += stats.unservedSlots.isEmpty() ? QStringLiteral("none") : topology::displayOf(stats.unservedSlots);
    QStringList names;
    for (const LockName& name : stats.notRead.first(std::min(namesInLine, stats.notRead.size())))
        names += boundedName(name);
    line += QStringLiteral("  names not read: %1").arg(stats.notRead.size());
    return names.isEmpty() ? line : QStringLiteral("%1 (%2)").arg(line, names.join(QLatin1String(", ")));
}

bool hasSameGaps(const MonitorStats& one, const MonitorStats& other) {
    return one.unservedSlots == other.unservedSlots && one.notRead == other.notRead;
}

QByteArray goneNodeToJsonLine(const NodeStatus& node, WallTime at) {
    return compact({{QStringLiteral("at"), isoTime(at)},
                    {QStringLiteral("event"), QStringLiteral("node")},
                    {QStringLiteral("node"), node.address},
                    {QStringLiteral("state"), QStringLiteral("gone")}});
}

QString goneNodeToTextLine(const NodeStatus& node, WallTime at) {
    return textLine(QStringLiteral("node"), at) + node.address + QStringLiteral(" gone");
}

QList<NodeStatus> goneNodes(const QList<NodeStatus>& before, const QList<NodeStatus>& now) {
    QList<NodeStatus> gone;
    for (const NodeStatus& node : before) {
        const bool isThere =
            std::ranges::any_of(now, [&node](const NodeStatus& other) { return other.address == node.address; });
        if (!isThere && node.phase != NodePhase::Connecting)
            gone += node;
    }
    return gone;
}

QByteArray silenceToJsonLine(const SilenceChange& change, WallTime at) {
    return compact({{QStringLiteral("at"), isoTime(at)},
                    {QStringLiteral("event"), QStringLiteral("silent")},
                    {QStringLiteral("node"), change.node.address},
                    {QStringLiteral("phase"), wordFor(change.phase)},
                    {QStringLiteral("silent_ms"), static_cast<qint64>(change.node.silence.count())}});
}

QString silenceToTextLine(const SilenceChange& change, WallTime at) {
    const QString line = textLine(QStringLiteral("silent"), at) + change.node.address;
    if (change.phase == DiagnosisPhase::Ended)
        return line + QStringLiteral(" answers again");
    return line + QStringLiteral(" has not answered for %1 s: nothing counts as lost yet")
                      .arg(change.node.silence.count() / 1000);
}

QList<SilenceChange> changedSilences(const MonitorStats& before, const MonitorStats& now) {
    const auto nodesOf = [](const MonitorStats& stats) {
        return stats.master ? QList<NodeStatus>{*stats.master} : stats.nodes;
    };
    QList<SilenceChange> changes;
    const QList<NodeStatus> nodesBefore = nodesOf(before);
    for (const NodeStatus& node : nodesOf(now)) {
        const auto earlier = std::ranges::find(nodesBefore, node.shard, &NodeStatus::shard);
        const bool wasSilent = earlier != nodesBefore.end() && earlier->silence > Milliseconds(0);
        const bool isSilent = node.silence > Milliseconds(0);
        if (isSilent && !wasSilent)
            changes += SilenceChange{node, DiagnosisPhase::Begun};
        else if (wasSilent && !isSilent && node.phase == NodePhase::Watching)
            changes += SilenceChange{*earlier, DiagnosisPhase::Ended};
    }
    return changes;
}

bool hasLitter(const MonitorStats& stats) {
    return stats.tokenLitter && stats.tokenLitter->isLitter();
}

bool hasLeaseLitter(const MonitorStats& stats) {
    return stats.leaseLitter && stats.leaseLitter->isLitter();
}

bool isSameSource(const MonitorStats& one, const MonitorStats& other) {
    return one.observation == other.observation && one.observationLimit == other.observationLimit &&
           blindSpotsOf(one) == blindSpotsOf(other) && one.writeReports == other.writeReports &&
           one.denied == other.denied;
}

}  // namespace lockkeeper::monitor
