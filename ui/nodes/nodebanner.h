// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/time/viewtime.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the table while a node of the Cluster cannot be reached and others can.
class NodeBanner final : public QWidget {
    Q_OBJECT
public:
    // time: outlives the banner.
    explicit NodeBanner(const ViewTime& time, QWidget* parent = nullptr);

    // After the window's own time.
    void follow(const ConnectionStatus& status);
    void setNodes(const QList<monitor::NodeStatus>& nodes);

Q_SIGNALS:
    void nodesWanted();

private:
    void retranslate();
    void refresh();

    const ViewTime& m_time;
    QList<monitor::NodeStatus> m_nodes;
    InlineMessage* m_message;
    QPushButton* m_show;
};

}  // namespace lockkeeper::ui
