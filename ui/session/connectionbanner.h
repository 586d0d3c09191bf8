// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "ui/words/viewtime.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the table while the connection is not as it should be, or leads to a replica or to one node of a
// Cluster, and offers what can be done about it.
class ConnectionBanner final : public QWidget {
    Q_OBJECT
public:
    explicit ConnectionBanner(Clock& clock, QWidget* parent = nullptr);

    // rows: in the table below. To be called again when the language changes.
    void follow(const ConnectionStatus& status, const ViewTime& time, int rows);

Q_SIGNALS:
    void retryWanted();
    // The connection is lost: the next attempt is to begin at once.
    void retryNowWanted();
    void editWanted();
    // The user wants to connect to the master of the replica instead.
    void masterWanted();
    // The user wants to connect to the whole Cluster of the node instead.
    void clusterWanted();

private:
    void retranslate();
    // Once a second while the next attempt is awaited.
    void countDown();

    Clock& m_clock;
    InlineMessage* m_message;
    QPushButton* m_retry;
    QPushButton* m_retryNow;
    QPushButton* m_edit;
    QPushButton* m_openMaster;
    QPushButton* m_openCluster;
    std::optional<SteadyTime> m_nextAttempt;
    ClockTimer m_nextSecond{m_clock, [this] { countDown(); }};
    QString m_master;  // of the replica; empty if there is none to open
};

}  // namespace lockkeeper::ui
