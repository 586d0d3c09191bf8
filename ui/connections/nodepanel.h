// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/tablepanel.h"
#include "ui/connections/nodemodel.h"

namespace lockkeeper::ui {

// The table of the nodes of a Cluster; elsewhere it says that there are none.
class NodePanel final : public TablePanel {
    Q_OBJECT
public:
    // time: outlives the panel.
    explicit NodePanel(const ViewTime& time, QWidget* parent = nullptr);

    void apply(const monitor::MonitorBatch& batch);
    void clear();

Q_SIGNALS:
    // The table is to show the locks of the node with this address.
    void locksWanted(const QString& address);

protected:
    void widenColumns() override;
    [[nodiscard]] QString accessibleTitle() const override;
    [[nodiscard]] QString help() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] Message note() const override;

private:
    const ViewTime& m_time;
    bool m_isCluster = false;  // only then a lock has a node of its own
    NodeModel m_model;
};

}  // namespace lockkeeper::ui
