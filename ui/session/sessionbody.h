// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QWidget>

namespace lockkeeper {
class ReplayEngine;
}

namespace lockkeeper::ui {

class ConnectionBanner;
class DemoGuide;
class LocksPage;
class LockTableModel;
class LossBanner;
class MessageBar;
class NodeBanner;
class ViewTime;

// The middle of a session's page: what has to be said of the session, its table of locks, and messages.
class SessionBody final : public QWidget {
    Q_OBJECT
public:
    // All given outlive it. replay: null for a live session.
    SessionBody(LockTableModel& locks, const ViewTime& time, Clock& clock, ReplayEngine* replay, QWidget* parent);

    [[nodiscard]] LocksPage& locks() noexcept { return *m_locksPage; }
    [[nodiscard]] MessageBar& messages() noexcept { return *m_messages; }
    [[nodiscard]] LossBanner& losses() noexcept { return *m_losses; }

    // To be called again when the language changes.
    void setStatus(const ConnectionStatus& status);
    void setStats(const monitor::MonitorStats& stats);
    // To be called after the model has applied the batch.
    void follow(const monitor::MonitorBatch& batch);

Q_SIGNALS:
    void retryWanted();
    void retryNowWanted();
    void editWanted();
    void masterWanted();
    void clusterWanted();
    void nodesWanted();
    void connectWanted();
    // Which lock is selected, or whether its row is in sight.
    void currentChanged();

private:
    void makeLayout(ReplayEngine* replay);
    void connectBanners();

    const LockTableModel& m_locks;
    const ViewTime& m_time;
    LocksPage* m_locksPage;
    MessageBar* m_messages;
    ConnectionBanner* m_banner;
    NodeBanner* m_nodes;
    DemoGuide* m_demoGuide;
    LossBanner* m_losses;
};

}  // namespace lockkeeper::ui
