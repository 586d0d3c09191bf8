// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replayengine.h"
#include "ui/connections/pageconnection.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/details/remedy.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/operate/pageoperations.h"
#include "ui/replay/recordable.h"
#include "ui/session/pageactions.h"
#include "ui/words/viewtime.h"

#include <QMainWindow>

class QSettings;

namespace lockkeeper::ui {

class ClientNames;
class HolderController;
class LocksPage;
class MessageBar;
class SessionBody;
class SessionDocks;
class SessionTools;
class StatusBar;
struct Message;

// One session in the window: its table of locks, its docks and its status bar, and what may be done there. A main
// window of its own inside the window's tab, so that each session's docks can be arranged.
class SessionPage final : public QMainWindow, public Recordable {
    Q_OBJECT
public:
    // All given outlive the page. Takes its arrangement from the settings.
    SessionPage(Engine& engine, Clock& clock, QSettings& settings, ClientNames& names, QWidget* parent = nullptr);
    // A recorded session, with an engine and a time of its own. The engine outlives the page and all its widgets; it is
    // deleted later when the page is gone.
    SessionPage(ReplayEngine& replay, QSettings& settings, ClientNames& names, QWidget* parent = nullptr);
    ~SessionPage() override;

    // label: of a saved connection.
    void connectTo(const profile::ConnectionProfile& profile, const profile::ProfileLabel& label = {});
    void connectToDemo(redis::AccessMode access);
    // Opens the recording; for a page of a recorded session only.
    void openReplay();
    // Connects to the same target again.
    void reconnect();
    void disconnectFromServer() { m_link.disconnectFromServer(); }
    // closed() follows, at once when there is no session.
    void closeSession(control::OwnLocksAtExit ownLocks);
    void saveSettings();

    [[nodiscard]] SessionLink& link() noexcept { return m_link; }
    [[nodiscard]] const ConnectionStatus& status() const noexcept { return m_status; }
    [[nodiscard]] bool canBeRecorded() const override { return !isFree() && !m_status.isRecording; }
    [[nodiscard]] const recording::RecordingStatus& recording() const noexcept override { return m_recording; }
    void record(const recording::RecordingRequest& request) override { m_link.request(request); }
    void stopRecording() override { m_link.request(StopRecording()); }
    [[nodiscard]] QObject& asObject() noexcept override { return *this; }
    // The engine of a recorded session; null for a live one.
    [[nodiscard]] ReplayEngine* replay() const noexcept { return m_replay; }
    [[nodiscard]] const Arming& arming() const noexcept { return m_operations->arming(); }
    // A lock of this console was lost, and the user has not dismissed that.
    [[nodiscard]] bool hasLoss() const;
    [[nodiscard]] const QList<control::OwnLock>& ownLocks() const noexcept { return m_operations->ownLocks(); }
    // The clients of this console that hold ownLocks().
    [[nodiscard]] QSet<ClientId> ownClients() const { return m_operations->ownClients(); }
    [[nodiscard]] bool isLive() const { return m_time.isLive(); }
    [[nodiscard]] const PageTarget& target() const noexcept { return m_connection.target(); }
    [[nodiscard]] const profile::ProfileLabel& label() const noexcept { return m_connection.label(); }
    // label: of the saved connection that is open here.
    void setLabel(const profile::ProfileLabel& label);
    // Nothing is or was connected here: another connection may take the place.
    [[nodiscard]] bool isFree() const;
    // For the tab and the title; empty while nothing was connected.
    [[nodiscard]] QString server() const;
    // How many locks have a diagnosis that is more than information; 0 while not connected, and in a recording.
    [[nodiscard]] int faultyLocks() const;
    [[nodiscard]] MessageBar& messages() noexcept;
    [[nodiscard]] SessionTools& tools() noexcept { return *m_tools; }
    [[nodiscard]] PageOperations& operations() noexcept { return *m_operations; }
    [[nodiscard]] HolderController& holders() noexcept { return *m_holders; }
    [[nodiscard]] LocksPage& locksPage() noexcept { return *m_page; }

    // ---- what the window's actions show and do ----
    [[nodiscard]] ActionRefusals refusals() const { return m_operations->refusals(); }
    // Name of the lock that an action would be about; empty when there is none.
    [[nodiscard]] QString lockForActions() const;
    // The same, by its exact name; empty if there is none.
    [[nodiscard]] LockName selectedLock() const;
    [[nodiscard]] monitor::DiscoveryState discovery() const noexcept { return m_discovery; }
    [[nodiscard]] PageActions pageActions() const;
    // actions: of the window, for the selected lock.
    void offerLockActions(const QList<QAction*>& actions);
    // The table and the timeline: their context menus have the window's actions for the selected lock.
    [[nodiscard]] QList<QWidget*> lockViews() const;
    void openWaits();

Q_SIGNALS:
    void statusChanged(const lockkeeper::ConnectionStatus& status);
    void armingChanged();
    // faultyLocks() may have changed for another reason than the connection.
    void diagnosesChanged();
    void lossChanged();
    // A lock of this console was lost. text: says which, and why.
    void lost(const QString& text);
    void recordingChanged();
    // refusals(), lockForActions() or discovery() may have changed.
    void actionsChanged();
    void ownLocksChanged();
    void connectWanted();
    void editWanted();
    // The user wants another connection: to the master of the replica, or to the Cluster of the one node.
    void otherWanted(const lockkeeper::profile::ConnectionProfile& profile);
    void closed();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    SessionPage(Engine& engine, Clock& clock, QSettings& settings, ClientNames& names, QWidget* parent,
                ReplayEngine* replay);

    void retranslate();
    void makeBody();
    void makeDocks();
    void openRemedy(Remedy remedy, const LockName& lock);
    void makeHolderController(ClientNames& names);
    void connectClients();
    [[nodiscard]] const monitor::LockRow* heldBy(const ClientId& client) const;
    void followLink();
    void openOther(const std::optional<profile::ConnectionProfile>& other);
    void restoreSettings();

    void showStatus(const ConnectionStatus& status);
    void applyBatch(const BatchReady& ready);
    // Nothing: no statistics are known.
    void applyStats(const std::optional<monitor::MonitorStats>& stats);
    void followNodes(const QList<monitor::NodeStatus>& nodes);
    void showHistory(const HistoryLoaded& history);
    void showRecording(const recording::RecordingStatus& status);
    void showReplayTime();
    void showLoss(const OwnLockLost& loss);
    void showOwnLocks(const OwnLocksChanged& own);
    void showCurrentLock();
    void showKnowledge();

    ReplayEngine* const m_replay;  // null: a live session
    SessionLink m_link;
    Clock& m_clock;
    QSettings& m_settings;
    ViewTime m_time;
    ClientColors m_colors;
    LockTableModel m_locks;
    EventLogModel m_log;
    PageConnection m_connection;
    ConnectionStatus m_status;
    recording::RecordingStatus m_recording;
    monitor::DiscoveryState m_discovery = monitor::DiscoveryState::Running;

    SessionBody* m_body;
    LocksPage* m_page;  // of the body
    PageOperations* m_operations;
    HolderController* m_holders = nullptr;
    SessionDocks* m_docks = nullptr;
    SessionTools* m_tools = nullptr;
    StatusBar* m_statusBar = nullptr;
    QList<QAction*> m_eventActions;
    std::optional<monitor::MonitorStats> m_stats;
};

}  // namespace lockkeeper::ui
