// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticecontroller.h"

#include "ui/base/messagebar.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/window/notices/noticeform.h"
#include "ui/words/causetext.h"
#include "ui/words/errortext.h"
#include "ui/words/noticetext.h"

#include <algorithm>

namespace lockkeeper::ui {

NoticeController::NoticeController(NoticeWays ways, const LockTableModel& locks, MessageBar& messages,
                                   NoticeChoice& choice, Clock& clock, QWidget& window)
    : QObject(&window),
      m_ways(std::move(ways)),
      m_locks(locks),
      m_messages(messages),
      m_choice(choice),
      m_clock(clock) {
    connect(m_ways.notifier.get(), &Notifier::failed, this, &NoticeController::notifyInWindow);
    connect(&m_choice, &NoticeChoice::changed, this, [this] {
        setRules();
        work();
    });
    setRules();
}

NoticeController::~NoticeController() {
    m_clock.cancel(m_timer);
}

NoticeForm* NoticeController::makeForm(QWidget* parent) {
    auto* form = new NoticeForm(m_choice.chosen(), parent);
    // Not by this controller: its page may be closed while the form is open.
    connect(form, &NoticeForm::changed, &m_choice, [choice = &m_choice, form] { choice->choose(form->chosen()); });
    connect(form, &NoticeForm::testWanted, this, [this](const NoticeSettings& how) {
        notify([] { return tr("This is a notification of Lockkeeper."); }, how);
    });
    connect(m_ways.notifier.get(), &Notifier::probed, form, &NoticeForm::setDesktopProblem);
    m_ways.notifier->probe();
    return form;
}

// The rules count from now on for what is on the screen, unless it is old.
void NoticeController::setRules() {
    if (!m_watch.setRules(m_choice.chosen().rules) || !m_live || !m_choice.chosen().rules.wantAnything())
        return;
    for (int row = 0; row < m_locks.rowCount(); ++row)
        m_watch.follow(m_locks.rowAt(row));
    for (const monitor::SharedClient& client : std::as_const(m_diagnosed))
        m_watch.follow(*client);
}

void NoticeController::keepDiagnosed(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        m_diagnosed.clear();
    for (const monitor::SharedClient& client : batch.clients) {
        if (client->diagnoses.isEmpty())
            m_diagnosed.remove(client->id);
        else
            m_diagnosed.insert(client->id, client);
    }
    for (const ClientId& client : batch.removedClients)
        m_diagnosed.remove(client);
}

void NoticeController::setStatus(const ConnectionStatus& status) {
    m_status = status;
    // What happened in a recording is no reason to notify anybody.
    m_live = status.phase == ConnectionPhase::Connected && !status.isRecording;
    if (m_live) {
        work();
        return;
    }
    m_watch.interrupt();
    m_pacing.clear();
    m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
}

void NoticeController::apply(const monitor::MonitorBatch& batch) {
    keepDiagnosed(batch);
    if (!m_choice.chosen().rules.wantAnything())
        return;
    m_watch.apply(batch);
    if (batch.reset)
        m_pacing.clear();
    if (m_live)
        work();
}

void NoticeController::work() {
    m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
    const SteadyTime now = m_clock.now();
    const std::vector<monitor::NoticeChange> changes = m_watch.take(now);
    note(changes);
    m_pacing.add(changes);
    if (const std::optional<monitor::NoticeBundle> bundle = m_pacing.take(now))
        notify([bundle = *bundle, aliases = m_aliases] { return bundleLines(bundle, aliases).join(u'\n'); },
               m_choice.chosen());
    std::optional<SteadyTime> next = m_watch.nextDue();
    if (const std::optional<SteadyTime> bundle = m_pacing.nextDue(now))
        next = std::min(*bundle, next.value_or(*bundle));
    if (!next || !m_live)
        return;
    m_timer = m_clock.schedule(*next, [this] {
        m_timer = Clock::TimerId::None;
        work();
    });
}

void NoticeController::note(const std::vector<monitor::NoticeChange>& changes) {
    for (const monitor::NoticeChange& change : changes) {
        if (change.phase == monitor::NoticeChange::Phase::Begun)
            Q_EMIT noticed(
                {m_clock.wallNow(), m_status.server, change.notice.lock,
                 [notice = change.notice, aliases = m_aliases] { return noticeText(notice.facts(), aliases); }});
    }
}

void NoticeController::notifyOfLoss(const QString& text) {
    Q_EMIT noticed({m_clock.wallNow(), m_status.server, std::nullopt, [text] { return text; }});
    if (m_choice.chosen().withSound)
        m_ways.beep();
    m_underWay = {};  // the window shows the notice in any case
    showOnDesktop(text);
}

void NoticeController::showOnDesktop(const QString& text) {
    m_ways.notifier->show(m_status.server.isEmpty() ? tr("Lockkeeper") : tr("Lockkeeper: %1").arg(serverText(m_status)),
                          text);
}

void NoticeController::notify(const MakeText& text, const NoticeSettings& how) {
    if (how.withSound)
        m_ways.beep();
    m_underWay = text;
    if (!how.onDesktop)
        m_messages.post([text] { return Message{Tone::Warning, text()}; });
    else
        showOnDesktop(text());
}

void NoticeController::notifyInWindow(const Error& problem) {
    if (!m_underWay)
        return;
    m_messages.post([text = m_underWay, problem] {
        return Message{Tone::Warning, tr("%1\n(Not shown on the desktop: %2)").arg(text(), reasonText(problem))};
    });
}

}  // namespace lockkeeper::ui

#include "moc_noticecontroller.cpp"
