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
class HolderController;
class LockTableModel;
class LocksPage;
class LookupController;
class MessageBar;
class NoticeController;
class NoticeForm;
struct PastNotice;
class ReportController;
class SessionDocks;
struct TimelineOptions;
class ViewTime;

// What the tools of a session work with. All of it outlives them.
struct ToolContext {
    enum class Notices { On, Off };

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
    Notices notices = Notices::On;       // Off: what happened long ago is no reason to notify anybody
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
    void openNotices();
    // A page of the settings.
    [[nodiscard]] NoticeForm* makeNoticeForm(QWidget* parent);
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
    // Another session of the window has changed the settings of notices.
    void reloadNoticeSettings();
    // text: says which lock of this console was lost.
    void notifyOfLoss(const QString& text);

Q_SIGNALS:
    void noticeSettingsChanged();
    void noticed(const lockkeeper::ui::PastNotice& notice);

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
    ExportController* m_export;
    ReportController* m_report;
    NoticeController* m_notices;
};

}  // namespace lockkeeper::ui
