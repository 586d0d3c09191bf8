// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <optional>

class QAction;
class QDockWidget;
class QMainWindow;
class QSettings;
class QWidget;

namespace lockkeeper {
struct ConnectionStatus;
namespace monitor {
struct MonitorBatch;
}
}  // namespace lockkeeper

namespace lockkeeper::ui {

class ClientColors;
class ClientPanel;
class DetailPanel;
class EventLogModel;
class EventLogPanel;
class LockTableModel;
class NodePanel;
class OverviewPanel;
class SynchronizerPanel;
class TimelinePanel;
class ViewTime;

// The panels around the table of locks, each in a dock that can be moved, closed and brought back.
class SessionDocks final : public QObject {
    Q_OBJECT
public:
    // All outlive the docks; the window owns the panels.
    SessionDocks(const LockTableModel& locks, EventLogModel& log, const ViewTime& time, Clock& clock,
                 const ClientColors& colors, QMainWindow& window);

    [[nodiscard]] DetailPanel& details() const { return *m_details; }
    [[nodiscard]] EventLogPanel& events() const { return *m_events; }
    [[nodiscard]] TimelinePanel& timeline() const { return *m_timeline; }
    [[nodiscard]] SynchronizerPanel& synchronizers() const { return *m_synchronizers; }
    [[nodiscard]] NodePanel& nodes() const { return *m_nodes; }
    [[nodiscard]] ClientPanel& clients() const { return *m_clients; }
    void showNodes();
    void showClient(const ClientId& client);
    // Fits the docks to a window of this size: in a low one timeline and events share their place, as tabs, and in a
    // narrow one the details are narrower. Has an effect only when the window becomes low or narrow, or is so no
    // longer, and on the width only until the user has arranged the panels.
    void fit(const QSize& window);
    void arrangeAsAtFirst();
    // The details are shown while a lock is selected, until the user shows, closes or moves them.
    void followSelection(bool isAnySelected);
    // To be saved together with the arrangement of the docks.
    void saveFit(QSettings& settings) const;
    void restoreFit(QSettings& settings);
    // Passes the batch to the panels that draw from batches alone. To be called after the window's ViewTime and table
    // have taken the batch.
    void apply(const monitor::MonitorBatch& batch);
    void follow(const ConnectionStatus& status);
    void clear();
    // About the selected lock and its holder, for context menus; a separator between the two.
    [[nodiscard]] QList<QAction*> lockActions() const { return m_lockActions; }
    // Sets the titles of the docks; the panels follow the language themselves.
    void retranslate();
    // Each shows or hides a panel, and brings one behind another tab to the front.
    [[nodiscard]] const QList<QAction*>& toggleActions() const { return m_toggles; }

Q_SIGNALS:
    // The user chose this lock in the events, on the timeline or in the overview.
    void lockChosen(const lockkeeper::LockName& name);
    // The user selected this lock there: it is to be selected where it is; keyboard focus and filter stay.
    void lockSelected(const lockkeeper::LockName& name);
    // See LockFilter.
    void filterWanted(const QString& filter);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectTimeline();
    void gatherLockActions();
    void showEventsOf(const LockName& name);
    // Behind the events, and hidden.
    void hideBehindEvents(QDockWidget& dock);
    // The docks that share the place of the events.
    [[nodiscard]] QList<QDockWidget*> docksBehindEvents() const {
        return {m_synchronizerDock, m_nodeDock, m_overviewDock, m_clientDock};
    }
    void fitDetails(int windowWidth);
    void arrange(int windowHeight);
    void shareTab(int windowHeight);
    void share(int windowHeight);
    void standApart();
    QDockWidget* addDock(const QString& objectName, QWidget* panel, const QKeySequence& shortcut);

    QMainWindow& m_window;
    DetailPanel* m_details;
    EventLogPanel* m_events;
    TimelinePanel* m_timeline;
    SynchronizerPanel* m_synchronizers;
    NodePanel* m_nodes;
    OverviewPanel* m_overview;
    ClientPanel* m_clients;
    QDockWidget* m_detailDock;
    QDockWidget* m_eventDock;
    QDockWidget* m_timelineDock;
    QDockWidget* m_synchronizerDock;
    QDockWidget* m_nodeDock;
    QDockWidget* m_overviewDock;
    QDockWidget* m_clientDock;
    QList<QAction*> m_toggles;
    QList<QAction*> m_lockActions;
    QByteArray m_firstState;
    std::optional<bool> m_isLow;
    std::optional<int> m_detailsWidth;
    bool m_isArranged = false;      // by the user, now or in an earlier run
    bool m_doDetailsFollow = true;  // the selection
    bool m_isAnySelected = false;
};

}  // namespace lockkeeper::ui
