// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/node.h"
#include "ui/panel/timedtablemodel.h"

namespace lockkeeper::ui {

// The nodes of a Cluster, a row each. Thread: the GUI's.
class NodeModel final : public TimedTableModel {
    Q_OBJECT
public:
    enum Column { Address, State, Replicas, Locks, Reads, Version, ColumnCount };

    // time: outlives the model.
    explicit NodeModel(const ViewTime& time, QObject* parent = nullptr);

    // Rows stay in place as long as the Cluster has the same nodes.
    void apply(const QList<monitor::NodeStatus>& nodes);

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
    [[nodiscard]] bool hasSameNodes(const QList<monitor::NodeStatus>& nodes) const;

    QList<monitor::NodeStatus> m_nodes;
};

}  // namespace lockkeeper::ui
