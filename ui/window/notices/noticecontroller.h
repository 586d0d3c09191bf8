// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "monitor/analyse/notice/noticepacing.h"
#include "ui/window/notices/noticehistory.h"
#include "ui/window/notices/noticesettings.h"
#include "ui/window/notices/notifier.h"
#include "ui/words/holderaliases.h"

#include <QObject>

#include <functional>
#include <memory>

class QWidget;

namespace lockkeeper::ui {

class LockTableModel;
class MessageBar;
class NoticeForm;

// The ways in which notices are shown. Tests replace them.
struct NoticeWays {
    std::unique_ptr<Notifier> notifier;
    std::function<void()> beep;
};

// Notifies the user of one session as the rules ask: on the desktop, by a sound, or, where the desktop shows nothing,
// in the window. At most one timer, for the next moment at which a rule may apply.
class NoticeController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller.
    NoticeController(NoticeWays ways, const LockTableModel& locks, MessageBar& messages, NoticeChoice& choice,
                     Clock& clock, QWidget& window);
    ~NoticeController() override;

    // The fields of the settings, which apply every change at once. A notification to try them is one of this session.
    [[nodiscard]] NoticeForm* makeForm(QWidget* parent);
    void setStatus(const ConnectionStatus& status);
    void apply(const monitor::MonitorBatch& batch);
    // A lock of this console was lost: the user is notified on the desktop, whatever the rules.
    void notifyOfLoss(const QString& text);
    void setAliases(const HolderAliases& aliases) { m_aliases = aliases; }

Q_SIGNALS:
    // Found by a rule, whether it is shown now or only counted.
    void noticed(const lockkeeper::ui::PastNotice& notice);

private:
    void setRules();
    void keepDiagnosed(const monitor::MonitorBatch& batch);
    void work();
    void note(const std::vector<monitor::NoticeChange>& changes);
    using MakeText = std::function<QString()>;
    void notify(const MakeText& text, const NoticeSettings& how);
    void showOnDesktop(const QString& text);
    void notifyInWindow(const Error& problem);

    NoticeWays m_ways;
    const LockTableModel& m_locks;
    MessageBar& m_messages;
    NoticeChoice& m_choice;
    Clock& m_clock;
    HolderAliases m_aliases;
    ConnectionStatus m_status;
    // Given to the desktop, which may still fail to show it; null: a failure does not matter.
    MakeText m_underWay = [] { return QString(); };
    bool m_live = false;
    QHash<ClientId, monitor::SharedClient> m_diagnosed;  // clients with a diagnosis; for rules that come later
    monitor::NoticeWatch m_watch;
    monitor::NoticePacing m_pacing;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::ui
