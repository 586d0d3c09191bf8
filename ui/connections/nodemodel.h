// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/node.h"
#include "ui/base/timedtablemodel.h"

namespace lockkeeper::ui {

// The nodes of a Cluster, a row each. Thread: the GUI's.
class NodeModel final : public TimedTableModel {
    Q_OBJECT
public:
    enum Column { Address, Role, State, Replicas, Locks, Reads, Version, ColumnCount };

    // time: outlives the model.
    explicit NodeModel(const ViewTime& time, QObject* parent = nullptr);

    // Each master with its replicas. Rows stay in place as long as these are the same.
    void apply(const QList<monitor::NodeStatus>& masters);
    // The master of a replica, or itself.
    [[nodiscard]] QString masterOf(int row) const { return m_rows[row].master.address; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] bool isOld(int row) const override;
    [[nodiscard]] bool isNumber(int column) const override;
    [[nodiscard]] QString title(int column) const override;
    [[nodiscard]] QString help(int column) const override;
    [[nodiscard]] QString display(int row, int column) const override;
    [[nodiscard]] QString toolTip(int row, int column) const override;
    [[nodiscard]] QVariant sortValue(int row, int column) const override;
    [[nodiscard]] QVariant decoration(int row, int column) const override;

private:
    struct Row {
        monitor::NodeStatus master;
        std::optional<redis::Replica> replica;  // nothing: the row is the master's

        friend bool operator==(const Row&, const Row&) = default;
    };
    [[nodiscard]] static QList<Row> rowsOf(const QList<monitor::NodeStatus>& masters);
    [[nodiscard]] bool hasSameNodes(const QList<Row>& rows) const;
    [[nodiscard]] QString displayMaster(const monitor::NodeStatus& master, Column column) const;
    [[nodiscard]] static QString displayReplica(const redis::Replica& replica, Column column);

    QList<Row> m_rows;
};

// What a column of the nodes of a Cluster shows.
[[nodiscard]] QString columnHelp(NodeModel::Column column);
// What the table of nodes is.
[[nodiscard]] QString nodesHelp();

}  // namespace lockkeeper::ui
