// SPDX-License-Identifier: Apache-2.0
#include "ui/nodes/nodemodel.h"

#include "ui/help/helptexts.h"
#include "ui/look/icons.h"
#include "ui/words/locktext.h"
#include "ui/words/nodetext.h"

#include <algorithm>

namespace lockkeeper::ui {

NodeModel::NodeModel(const ViewTime& time, QObject* parent) : TimedTableModel(time, ColumnCount, parent) {}

bool NodeModel::hasSameNodes(const QList<monitor::NodeStatus>& nodes) const {
    return std::equal(
        nodes.begin(), nodes.end(), m_nodes.begin(), m_nodes.end(),
        [](const monitor::NodeStatus& one, const monitor::NodeStatus& other) { return one.shard == other.shard; });
}

void NodeModel::apply(const QList<monitor::NodeStatus>& nodes) {
    if (!hasSameNodes(nodes)) {
        beginResetModel();
        m_nodes = nodes;
        endResetModel();
    } else if (nodes != m_nodes) {
        m_nodes = nodes;
        refreshAll();
    }
}

int NodeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

bool NodeModel::isOld(int row) const {
    return isLost(m_nodes[row]) || TimedTableModel::isOld(row);
}

bool NodeModel::isNumber(int column) const {
    return column == Replicas || column == Locks || column == Reads;
}

QString NodeModel::display(int row, int column) const {
    const monitor::NodeStatus& node = m_nodes[row];
    switch (static_cast<Column>(column)) {
        case Address:
            return addressText(node);
        case State:
            return nodeStateText(node, time().wallNow());
        case Replicas:
            return replicasText(node);
        case Locks:
            return numberText(node.knownLocks);
        case Reads:
            return readsText(node);
        case Version:
            return QString::fromLatin1(node.serverVersion);
        case ColumnCount:
            break;
    }
    return {};
}

QString NodeModel::toolTip(int row, int column) const {
    return column == Replicas ? replicasToolTip(m_nodes[row]) : shortened(display(row, column), 400);
}

QVariant NodeModel::decoration(int row, int column) const {
    if (column != State)
        return {};
    const bool isLive = time().isLive();
    if (isLost(m_nodes[row]))
        return icon(QStringLiteral("warning"), isLive ? Tone::Warning : Tone::Quiet);
    const bool isWatched = m_nodes[row].phase == monitor::NodePhase::Watching;
    const QString name = isWatched ? QStringLiteral("phase-connected") : QStringLiteral("phase-connecting");
    if (!isLive)
        return icon(name, Tone::Quiet);
    return icon(name, isWatched ? Tone::Good : Tone::Info);
}

QVariant NodeModel::sortValue(int row, int column) const {
    const monitor::NodeStatus& node = m_nodes[row];
    switch (static_cast<Column>(column)) {
        case State:
            return static_cast<int>(node.phase);
        case Replicas:
            return greatestLag(node).value_or(-1);
        case Locks:
            return node.knownLocks;
        case Reads:
            return node.readsPerSecond;
        default:
            return display(row, column);
    }
}

QString NodeModel::help(int column) const {
    return columnHelp(static_cast<Column>(column));
}

QString NodeModel::title(int column) const {
    switch (static_cast<Column>(column)) {
        case Address:
            return tr("Master");
        case State:
            return tr("State");
        case Replicas:
            return tr("Replicas, lag");
        case Locks:
            return tr("Locks");
        case Reads:
            return tr("Reads/s, limit");
        case Version:
            return tr("Version");
        case ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_nodemodel.cpp"
