// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QStatusBar>

class QToolButton;

namespace lockkeeper::ui {

class StatusField;

// Where the connection stands, and what watching costs and has found.
class StatusBar final : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusBar(QWidget* parent = nullptr);

    void setStatus(const ConnectionStatus& status);
    // Nothing: no statistics are known yet, and none are shown.
    void setStats(const std::optional<monitor::MonitorStats>& stats);
    void setOwnLocks(int count);
    // Hidden while none runs.
    void setRecording(const recording::RecordingStatus& status);

Q_SIGNALS:
    void faultyLocksWanted();

private:
    void retranslate();
    void describeFields();
    [[nodiscard]] QToolButton* addFaultyButton();
    void setFaultyLocks(int count);
    [[nodiscard]] StatusField* addField(const QString& objectName);
    void showStats();
    void showStats(const monitor::MonitorStats& stats);

    ConnectionStatus m_status;
    std::optional<monitor::MonitorStats> m_stats;  // of the present connection
    recording::RecordingStatus m_recordingStatus;
    int m_ownLocks = 0;
    StatusField* m_connection;
    StatusField* m_readOnly;
    StatusField* m_pinned;
    StatusField* m_recording;
    QToolButton* m_faulty;  // left of the others: it asks for attention
    StatusField* m_own;
    StatusField* m_storm;
    StatusField* m_litter;
    StatusField* m_denied;
    StatusField* m_nodes;
    StatusField* m_observation;
    StatusField* m_locks;
    StatusField* m_reads;
    StatusField* m_sweep;
};

}  // namespace lockkeeper::ui
