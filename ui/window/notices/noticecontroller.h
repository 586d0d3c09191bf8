// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "monitor/analyse/notice/noticepacing.h"
#include "ui/window/notices/noticehistory.h"
#include "ui/window/notices/noticesettings.h"
#include "ui/window/notices/notifier.h"
#include "ui/words/holderaliases.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

class QSettings;
class QWidget;

namespace lockkeeper::ui {

class LockTableModel;
class MessageBar;
class NoticeDialog;
class NoticeForm;

// The ways in which notices are shown. Tests replace them.
struct NoticeWays {
    std::unique_ptr<Notifier> notifier;
    std::function<void()> beep;
};

// Notifies the user as the rules ask: on the desktop, by a sound, or, where the desktop shows nothing, in the window.
// At most one timer, for the next moment at which a rule may apply.
class NoticeController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    NoticeController(NoticeWays ways, const LockTableModel& locks, MessageBar& messages, QSettings& settings,
                     Clock& clock, QWidget& window);
    ~NoticeController() override;

    void open();
    // The fields of the dialog, for another dialog that applies every change at once.
    [[nodiscard]] NoticeForm* makeForm(QWidget* parent);
    // Another session of the window has changed the settings.
    void reloadSettings();
    void setStatus(const ConnectionStatus& status);
    void apply(const monitor::MonitorBatch& batch);
    // A lock of this console was lost: the user is notified on the desktop, whatever the rules.
    void notifyOfLoss(const QString& text);
    void setAliases(const HolderAliases& aliases) { m_aliases = aliases; }

Q_SIGNALS:
    // The user has changed the settings in this session; they are saved.
    void settingsChanged();
    // Found by a rule, whether it is shown now or only counted.
    void noticed(const lockkeeper::ui::PastNotice& notice);

private:
    void serve(NoticeForm& form);
    void choose(const NoticeSettings& chosen);
    void setRules();
    void work();
    void note(const std::vector<monitor::NoticeChange>& changes);
    using MakeText = std::function<QString()>;
    void notify(const MakeText& text, const NoticeSettings& how);
    void showOnDesktop(const QString& text);
    void notifyInWindow(const Error& problem);

    NoticeWays m_ways;
    const LockTableModel& m_locks;
    MessageBar& m_messages;
    QSettings& m_settings;
    Clock& m_clock;
    QWidget& m_window;
    NoticeSettings m_chosen;
    HolderAliases m_aliases;
    ConnectionStatus m_status;
    // Given to the desktop, which may still fail to show it; null: a failure does not matter.
    MakeText m_underWay = [] { return QString(); };
    bool m_live = false;
    monitor::NoticeWatch m_watch;
    monitor::NoticePacing m_pacing;
    Clock::TimerId m_timer = Clock::TimerId::None;
    QPointer<NoticeDialog> m_dialog;
};

}  // namespace lockkeeper::ui
