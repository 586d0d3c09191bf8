// SPDX-License-Identifier: Apache-2.0
#include "ui/words/nodetext.h"

#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lockkeeper::ui {

namespace {

struct NodeText {
    Q_DECLARE_TR_FUNCTIONS(NodeText)
};

bool wasWatched(const monitor::NodeStatus& node) {
    return node.lastHeard != WallTime{};
}

QString withReason(const monitor::NodeStatus& node, const QString& text) {
    return node.error ? NodeText::tr("%1: %2", "what is wrong with a node, and why").arg(text, reasonText(*node.error))
                      : text;
}

QString notServingText(const monitor::NodeStatus& node, WallTime now) {
    const QString address = addressText(node);
    const QString reason = node.error ? reasonText(*node.error) : NodeText::tr("the Cluster is down");
    if (!wasWatched(node))
        return NodeText::tr("Node %1 serves no keys now (%2): its locks are not shown.").arg(address, reason);
    return NodeText::tr("Node %1 serves no keys now (%2): its locks are shown as of %3.")
        .arg(address, reason, clockText(node.lastHeard, now));
}

QString lostText(const monitor::NodeStatus& node, WallTime now) {
    if (node.phase == monitor::NodePhase::NotServing)
        return notServingText(node, now);
    const QString address = addressText(node);
    const QString reason = node.error ? reasonText(*node.error) : NodeText::tr("it does not answer");
    if (!wasWatched(node))
        return NodeText::tr("Node %1 cannot be reached (%2): its locks are not shown.").arg(address, reason);
    return NodeText::tr("Node %1 cannot be reached (%2): its locks are shown as of %3.")
        .arg(address, reason, clockText(node.lastHeard, now));
}

QStringList lostTexts(const QList<monitor::NodeStatus>& nodes, WallTime now) {
    QStringList lines;
    for (const monitor::NodeStatus& node : nodes) {
        if (isLost(node))
            lines << lostText(node, now);
    }
    return lines;
}

QString sizeText(qint64 bytes) {
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeTraditionalFormat);
}

QString silenceText(const monitor::NodeStatus& node) {
    return NodeText::tr("Silent for %1").arg(durationText(node.silence));
}

QString briefStateText(const monitor::NodeStatus& node) {
    switch (node.phase) {
        case monitor::NodePhase::Connecting:
            return NodeText::tr("Connecting");
        case monitor::NodePhase::Watching:
            return node.silence > Milliseconds(0) ? silenceText(node) : NodeText::tr("Watching");
        case monitor::NodePhase::Reconnecting:
            return withReason(node, wasWatched(node) ? NodeText::tr("Not reached") : NodeText::tr("Not reached yet"));
        case monitor::NodePhase::NotServing:
            return withReason(node, NodeText::tr("Not watched"));
    }
    return {};
}

}  // namespace

std::optional<qint64> greatestLag(const monitor::NodeStatus& node) {
    if (!node.replicas || node.replicas->isEmpty())
        return std::nullopt;
    return std::ranges::max(*node.replicas, {}, &redis::Replica::behind).behind;
}

QString replicasText(const monitor::NodeStatus& node) {
    if (!node.replicas)
        return {};
    const std::optional<qint64> lag = greatestLag(node);
    return lag ? NodeText::tr("%1, %2", "a number of replicas, and bytes")
                     .arg(numberText(node.replicas->size()), sizeText(*lag))
               : NodeText::tr("none", "no replicas");
}

QString lagText(const redis::Replica& replica) {
    return sizeText(replica.behind);
}

QString replicasToolTip(const monitor::NodeStatus& node) {
    if (!node.replicas)
        return NodeText::tr("Not known");
    if (node.replicas->isEmpty())
        return NodeText::tr("No replica is connected: nothing takes over if this master fails");
    QStringList lines;
    for (const redis::Replica& replica : *node.replicas)
        lines << NodeText::tr("Replica %1: %2 behind", "an address, and a number of bytes")
                     .arg(replica.address, sizeText(replica.behind));
    return lines.join(QLatin1Char('\n'));
}

QString silencesText(const monitor::MonitorStats& stats) {
    const auto isSilent = [](const monitor::NodeStatus& node) { return node.silence > Milliseconds(0); };
    if (stats.master && isSilent(*stats.master))
        return NodeText::tr("The server has been silent for %1. Nothing counts as lost yet.")
            .arg(durationText(stats.master->silence));
    const auto first = std::ranges::find_if(stats.nodes, isSilent);
    if (first == stats.nodes.end())
        return {};
    const auto silent = std::ranges::count_if(stats.nodes, isSilent);
    if (silent == 1)
        return NodeText::tr("Node %1 has been silent for %2. Nothing counts as lost yet.")
            .arg(addressText(*first), durationText(first->silence));
    return NodeText::tr("Silent nodes: %1 of %2. Nothing counts as lost yet.")
        .arg(numberText(silent), numberText(stats.nodes.size()));
}

bool isLost(const monitor::NodeStatus& node) {
    return monitor::isLost(node.phase);
}

bool hasLostNode(const QList<monitor::NodeStatus>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), isLost);
}

QString addressText(const monitor::NodeStatus& node) {
    return node.address.isEmpty() ? NodeText::tr("(address not known)") : node.address;
}

QString nodeStateText(const monitor::NodeStatus& node, WallTime now) {
    const bool isServing = node.phase != monitor::NodePhase::NotServing;
    if (!isServing && wasWatched(node))
        return withReason(node, NodeText::tr("Not watched since %1").arg(clockText(node.lastHeard, now)));
    if (isLost(node) && wasWatched(node))
        return withReason(node, NodeText::tr("Not reached since %1").arg(clockText(node.lastHeard, now)));
    return briefStateText(node);
}

QString readsText(const monitor::NodeStatus& node) {
    return NodeText::tr("%1 of %2", "reads a second, and the limit for them")
        .arg(numberText(std::llround(node.readsPerSecond)), numberText(node.readBudgetPerSecond));
}

QString nodesText(const QList<monitor::NodeStatus>& nodes) {
    if (nodes.isEmpty())
        return {};
    const auto watched = std::count_if(nodes.begin(), nodes.end(), [](const monitor::NodeStatus& node) {
        return node.phase == monitor::NodePhase::Watching;
    });
    const int all = static_cast<int>(nodes.size());
    return watched == all ? NodeText::tr("%Ln node(s)", nullptr, all)
                          : NodeText::tr("%1 of %Ln node(s)", nullptr, all).arg(numberText(watched));
}

QString nodesToolTip(const QList<monitor::NodeStatus>& nodes) {
    QStringList lines;
    for (const monitor::NodeStatus& node : nodes)
        lines << NodeText::tr("%1: %2", "a node, and its state").arg(addressText(node), briefStateText(node));
    return lines.join(QLatin1Char('\n'));
}

QString lostNodesText(const QList<monitor::NodeStatus>& nodes, WallTime now) {
    const QStringList lost = lostTexts(nodes, now);
    if (lost.size() <= 1)
        return lost.join(QString());
    const bool serves = std::ranges::none_of(
        nodes, [](const monitor::NodeStatus& node) { return node.phase == monitor::NodePhase::NotServing; });
    const int count = static_cast<int>(lost.size());
    const QString text =
        serves ? NodeText::tr("%Ln of %1 nodes cannot be reached: their locks are shown as they were last seen.",
                              nullptr, count)
               : NodeText::tr(
                     "%Ln of %1 nodes are not watched, because the Cluster is down or they do not answer: their "
                     "locks are shown as they were last seen.",
                     nullptr, count);
    return text.arg(numberText(nodes.size()));
}

QString unservedSlotsText(const monitor::MonitorStats& stats) {
    if (stats.unservedSlots.isEmpty())
        return {};
    const QString slotsText = shortened(topology::displayOf(stats.unservedSlots));
    return NodeText::tr("No node serves these slots: %1. Locks in them are not watched.").arg(slotsText);
}

QString lostNodesToolTip(const QList<monitor::NodeStatus>& nodes, WallTime now) {
    return lostTexts(nodes, now).join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
