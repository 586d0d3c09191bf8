// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/viewtime.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the table while nodes of the Cluster are not watched, or some slots have no node.
class NodeBanner final : public QWidget {
    Q_OBJECT
public:
    // time: outlives the banner.
    explicit NodeBanner(const ViewTime& time, QWidget* parent = nullptr);

    // To be called after the window's ViewTime has followed the status.
    void follow(const ConnectionStatus& status);
    void setStats(const monitor::MonitorStats& stats);

Q_SIGNALS:
    void nodesWanted();

private:
    void retranslate();
    void refresh();

    const ViewTime& m_time;
    monitor::MonitorStats m_stats;
    bool m_watchesNothing = false;
    InlineMessage* m_message;
    QPushButton* m_show;
};

}  // namespace lockkeeper::ui
