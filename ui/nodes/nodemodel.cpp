// SPDX-License-Identifier: Apache-2.0
#include "ui/nodes/nodemodel.h"

#include "ui/help/helptexts.h"
#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/words/locktext.h"
#include "ui/words/nodetext.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

bool isNumberColumn(NodeModel::Column column) {
    return column == NodeModel::Lag || column == NodeModel::Locks || column == NodeModel::Reads;
}

}  // namespace

NodeModel::NodeModel(const ViewTime& time, QObject* parent) : QAbstractTableModel(parent), m_time(time) {}

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

void NodeModel::refreshAll() {
    if (!m_nodes.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void NodeModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    refreshAll();
}

int NodeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

int NodeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant NodeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const monitor::NodeStatus& node = m_nodes[index.row()];
    const auto column = static_cast<Column>(index.column());
    const bool isOld = isLost(node) || !m_time.isLive();
    switch (role) {
        case Qt::DisplayRole:
            return display(node, column);
        case Qt::ToolTipRole:
            return helpTip(toolTip(node, column));
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column));
        case Qt::AccessibleTextRole: {
            const QString text = display(node, column);
            return text.isEmpty() ? tr("none") : text;
        }
        case Qt::DecorationRole:
            return column == State ? decoration(node) : QVariant();
        case Qt::FontRole: {
            QFont font = QGuiApplication::font();
            font.setItalic(true);
            return isOld ? font : QVariant();
        }
        case Qt::ForegroundRole:
            return isOld ? QVariant::fromValue(toneColor(QGuiApplication::palette(), Tone::Quiet)) : QVariant();
        case Qt::TextAlignmentRole:
            return isNumberColumn(column) ? QVariant::fromValue(Qt::AlignCenter) : QVariant();
        case SortRole:
            return sortValue(node, column);
        default:
            return {};
    }
}

QString NodeModel::display(const monitor::NodeStatus& node, Column column) const {
    switch (column) {
        case Address:
            return addressText(node);
        case Role:
            return roleText(node);
        case State:
            return nodeStateText(node, m_time.wallNow());
        case Lag:
            return lagText(node);
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

QString NodeModel::toolTip(const monitor::NodeStatus& node, Column column) const {
    const QString replicas = column == Role || column == Lag ? replicasText(node) : QString();
    return replicas.isEmpty() ? shortened(display(node, column), 400) : replicas;
}

QVariant NodeModel::decoration(const monitor::NodeStatus& node) const {
    if (isLost(node))
        return icon(QStringLiteral("warning"), m_time.isLive() ? Tone::Warning : Tone::Quiet);
    const bool isWatched = node.phase == monitor::NodePhase::Watching;
    const QString name = isWatched ? QStringLiteral("phase-connected") : QStringLiteral("phase-connecting");
    if (!m_time.isLive())
        return icon(name, Tone::Quiet);
    return icon(name, isWatched ? Tone::Good : Tone::Info);
}

QVariant NodeModel::sortValue(const monitor::NodeStatus& node, Column column) const {
    switch (column) {
        case State:
            return static_cast<int>(node.phase);
        case Lag:
            return greatestLag(node).value_or(-1);
        case Locks:
            return node.knownLocks;
        case Reads:
            return node.readsPerSecond;
        case Address:
        case Role:
        case Version:
        case ColumnCount:
            break;
    }
    return display(node, column);
}

QVariant NodeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    switch (role) {
        case Qt::DisplayRole:
            return title(column);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(isNumberColumn(column) ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

QString NodeModel::title(Column column) {
    switch (column) {
        case Address:
            return tr("Address");
        case Role:
            return tr("Role");
        case State:
            return tr("State");
        case Lag:
            return tr("Lag");
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
