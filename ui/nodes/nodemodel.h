// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/node.h"
#include "ui/time/viewtime.h"

#include <QAbstractTableModel>

namespace lockkeeper::ui {

// The nodes of a Cluster, a row each. Thread: the GUI's.
class NodeModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Address, Role, State, Lag, Locks, Reads, Version, ColumnCount };
    enum { SortRole = Qt::UserRole };

    // time: outlives the model.
    explicit NodeModel(const ViewTime& time, QObject* parent = nullptr);

    // Rows stay in place as long as the Cluster has the same nodes.
    void apply(const QList<monitor::NodeStatus>& nodes);
    // After the time that the screen shows has changed.
    void refreshAll();
    // After a change of language: texts are made when they are asked for.
    void retranslate();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool hasSameNodes(const QList<monitor::NodeStatus>& nodes) const;
    [[nodiscard]] QString display(const monitor::NodeStatus& node, Column column) const;
    [[nodiscard]] QString toolTip(const monitor::NodeStatus& node, Column column) const;
    [[nodiscard]] QVariant decoration(const monitor::NodeStatus& node) const;
    [[nodiscard]] QVariant sortValue(const monitor::NodeStatus& node, Column column) const;
    [[nodiscard]] static QString title(Column column);

    const ViewTime& m_time;
    QList<monitor::NodeStatus> m_nodes;
};

}  // namespace lockkeeper::ui
