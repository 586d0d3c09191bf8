// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/nodemodel.h"

#include "ui/base/icons.h"
#include "ui/help/helptexts.h"
#include "ui/words/locktext.h"
#include "ui/words/nodetext.h"

#include <algorithm>

namespace lockkeeper::ui {

NodeModel::NodeModel(const ViewTime& time, QObject* parent) : TimedTableModel(time, ColumnCount, parent) {}

QList<NodeModel::Row> NodeModel::rowsOf(const QList<monitor::NodeStatus>& masters) {
    QList<Row> rows;
    for (const monitor::NodeStatus& master : masters) {
        rows << Row{master, std::nullopt};
        for (const redis::Replica& replica : master.replicas.value_or(QList<redis::Replica>()))
            rows << Row{master, replica};
    }
    return rows;
}

bool NodeModel::hasSameNodes(const QList<Row>& rows) const {
    const auto isSame = [](const Row& one, const Row& other) {
        const bool isSameReplica = one.replica.has_value() == other.replica.has_value() &&
                                   (!one.replica || one.replica->address == other.replica->address);
        return one.master.shard == other.master.shard && isSameReplica;
    };
    return std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), isSame);
}

void NodeModel::apply(const QList<monitor::NodeStatus>& masters) {
    const QList<Row> rows = rowsOf(masters);
    if (!hasSameNodes(rows)) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    } else if (rows != m_rows) {
        m_rows = rows;
        refreshAll();
    }
}

int NodeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

bool NodeModel::isOld(int row) const {
    return isLost(m_rows[row].master) || TimedTableModel::isOld(row);
}

bool NodeModel::isNumber(int column) const {
    return column == Replicas || column == Locks || column == Reads;
}

QString NodeModel::display(int row, int column) const {
    const auto shown = static_cast<Column>(column);
    const Row& of = m_rows[row];
    return of.replica ? displayReplica(*of.replica, shown) : displayMaster(of.master, shown);
}

QString NodeModel::displayMaster(const monitor::NodeStatus& master, Column column) const {
    switch (column) {
        case Address:
            return addressText(master);
        case Role:
            return tr("Master");
        case State:
            return nodeStateText(master, time().wallNow());
        case Replicas:
            return replicasText(master);
        case Locks:
            return numberText(master.knownLocks);
        case Reads:
            return readsText(master);
        case Version:
            return QString::fromLatin1(master.serverVersion);
        case ColumnCount:
            break;
    }
    return {};
}

// A master reports only the replicas that are in step.
QString NodeModel::displayReplica(const redis::Replica& replica, Column column) {
    switch (column) {
        case Address:
            return replica.address;
        case Role:
            return tr("Replica");
        case State:
            return tr("Follows its master");
        case Replicas:
            return lagText(replica);
        default:
            return {};
    }
}

QString NodeModel::toolTip(int row, int column) const {
    const bool listsReplicas = column == Replicas && !m_rows[row].replica;
    return listsReplicas ? replicasToolTip(m_rows[row].master) : shortened(display(row, column), 400);
}

QVariant NodeModel::decoration(int row, int column) const {
    if (column != State || m_rows[row].replica)
        return {};
    const bool isLive = time().isLive();
    const monitor::NodeStatus& master = m_rows[row].master;
    if (isLost(master) || master.silence > Milliseconds(0))
        return icon(QStringLiteral("warning"), isLive ? Tone::Warning : Tone::Quiet);
    const bool isWatched = master.phase == monitor::NodePhase::Watching;
    const QString name = isWatched ? QStringLiteral("phase-connected") : QStringLiteral("phase-connecting");
    if (!isLive)
        return icon(name, Tone::Quiet);
    return icon(name, isWatched ? Tone::Good : Tone::Info);
}

QVariant NodeModel::sortValue(int row, int column) const {
    const monitor::NodeStatus& master = m_rows[row].master;
    const std::optional<redis::Replica>& replica = m_rows[row].replica;
    if (column == Replicas)
        return replica ? replica->behind : greatestLag(master).value_or(-1);
    // A replica is indented below its master.
    if (replica && column == Address)
        return QString(master.address + QLatin1Char(' ') + replica->address);
    if (replica)
        return display(row, column);
    switch (static_cast<Column>(column)) {
        case State:
            return static_cast<int>(master.phase);
        case Locks:
            return master.knownLocks;
        case Reads:
            return master.readsPerSecond;
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
            return tr("Node");
        case Role:
            return tr("Role");
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

QString columnHelp(NodeModel::Column column) {
    switch (column) {
        case NodeModel::Address:
            return NodeModel::tr(
                "A server, by the address that its Cluster or Sentinel announces, or by yours. Replicas are below their "
                "master.");
        case NodeModel::Role:
            return NodeModel::tr("Locks are read on the master. A replica takes its place when it fails.");
        case NodeModel::State:
            return NodeModel::tr(
                "Whether the node is watched. While it is not reached, its locks stay in the table as they were, and "
                "Lockkeeper tries again by itself.");
        case NodeModel::Replicas:
            return NodeModel::tr(
                "How many replicas are connected to this master, and how many bytes of changes the slowest has not "
                "confirmed yet; of a replica, its own: a lock in them is lost when the master fails. Replicas confirm "
                "once a second, and Lockkeeper asks every ten seconds.");
        case NodeModel::Locks:
            return NodeModel::tr(
                "The locks that are known on this node: held ones, and free ones until they are forgotten.");
        case NodeModel::Reads:
            return NodeModel::tr(
                "Reads of locks in the last second, and the limit that is kept. Each node has its own.");
        case NodeModel::Version:
            return NodeModel::tr("The version of Redis that the node runs. Empty: not known.");
        case NodeModel::ColumnCount:
            break;
    }
    return {};
}

QString nodesHelp() {
    return NodeModel::tr(
        "The masters that are watched, and their replicas. In a Cluster, each master keeps the locks of its hash slots: "
        "Enter or a double click shows the locks of one node.");
}

}  // namespace lockkeeper::ui

#include "moc_nodemodel.cpp"
