// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "profile/profilelabel.h"

#include <QObject>

class QMainWindow;
class QSettings;

namespace lockkeeper::ui {

class AuditWatch;
class EventLogModel;
class ExportController;
class FetchDumpController;
class HolderController;
class LockTableModel;
class LocksPage;
class LookupController;
class PageConnection;
class ThreadDumpController;
class MessageBar;
class ReportController;
class SessionDocks;
struct TimelineOptions;
class ViewTime;

// What the tools of a session work with. All of it outlives them.
struct ToolContext {
    SessionLink& link;
    Clock& clock;
    QSettings& settings;
    const LockTableModel& locks;
    EventLogModel& log;
    const ViewTime& time;
    LocksPage& page;
    SessionDocks& docks;
    MessageBar& messages;
    const HolderController& holders;
    const profile::ProfileLabel& label;  // of the connection
    const PageConnection& connection;
};

// What the menu "Tools" offers for one session, each with a controller of its own. Made when the page already follows
// the session, so that the page shows a change before the controllers receive it.
class SessionTools final : public QObject {
    Q_OBJECT
public:
    SessionTools(const ToolContext& context, QMainWindow& page);

    // The table of the session.
    [[nodiscard]] const LockTableModel& locks() const { return m_locks; }
    void openLookup();
    void openThreadDump();
    void getThreadDump(const ClientId& client);
    // Panels and columns become as they were at first.
    void resetArrangement();
    void unpinLanes();
    void setTimelineOptions(const TimelineOptions& options);
    void exportLocks();
    void exportEvents();
    void exportSynchronizers();
    void exportTimeline();
    void exportWindow();
    // Copies the report of the selected lock.
    void copyReport();
    void exportReport();
    // folder: where the audit is.
    void setAuditFolder(const QString& folder);

private:
    void addSavedFilters(const ToolContext& context);
    void setStatus(const ConnectionStatus& status);
    void learn();
    void followAudit(SessionLink& link);
    void showAudit();
    void showAuditOfLock();

    const LockTableModel& m_locks;
    const HolderController& m_holders;
    const Clock& m_clock;
    QWidget& m_window;
    EventLogModel& m_log;
    LocksPage& m_page;
    SessionDocks& m_docks;
    AuditWatch* m_audit;
    LookupController* m_lookup;
    ThreadDumpController* m_threadDump;
    FetchDumpController* m_fetchDump;
    const PageConnection& m_connection;
    bool m_isDemo = false;
    ExportController* m_export;
    ReportController* m_report;
};

}  // namespace lockkeeper::ui
