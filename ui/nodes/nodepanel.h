// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/nodes/nodemodel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;
class QTableView;

namespace lockkeeper::ui {

class InlineMessage;

// The table of the nodes of a Cluster; elsewhere it says that there are none.
class NodePanel final : public QWidget {
    Q_OBJECT
public:
    // time: outlives the panel.
    explicit NodePanel(const ViewTime& time, QWidget* parent = nullptr);

    void apply(const monitor::MonitorBatch& batch);
    // After the window's own time.
    void follow(const ConnectionStatus& status);
    void clear();

Q_SIGNALS:
    // Those of the node with this address.
    void locksWanted(const QString& address);

private:
    void retranslate();
    void widenColumns();
    void makeView();
    void refresh();
    void chooseNode(const QModelIndex& index);

    const ViewTime& m_time;
    NodeModel m_model;
    QSortFilterProxyModel m_shown;
    ConnectionPhase m_phase = ConnectionPhase::Disconnected;
    InlineMessage* m_note;
    QStackedWidget* m_stack;
    QTableView* m_view;
    QLabel* m_empty;
    QAction* m_copy;
};

}  // namespace lockkeeper::ui
