// SPDX-License-Identifier: Apache-2.0
#include "engine/engineworker.h"

#include "base/systemclock.h"
#include "session/recordedlab.h"
#include "session/session.h"

namespace lockkeeper {

EngineWorker::EngineWorker(monitor::MonitorOptions monitorOptions, const history::HistoryOptions& historyOptions,
                           const QString& auditFolder)
    : m_monitorOptions(std::move(monitorOptions)),
      m_clock(std::make_unique<SystemClock>(this)),
      m_audit(std::make_unique<control::AuditLog>(auditFolder, *m_clock)) {
    connect(m_audit.get(), &control::AuditLog::written, this, &EngineWorker::auditWritten);
    if (historyOptions.path.isEmpty())
        return;
    m_history = std::make_unique<history::HistoryFile>(historyOptions, *m_clock);
    connect(m_history.get(), &history::HistoryFile::failed, this, &EngineWorker::historyFailed);
    connect(m_history.get(), &history::HistoryFile::setAside, this, &EngineWorker::historySetAside);
    connect(m_history.get(), &history::HistoryFile::wasRead, this, &EngineWorker::historyRead);
    connect(m_history.get(), &history::HistoryFile::forgotten, this, &EngineWorker::historyForgotten);
}

EngineWorker::~EngineWorker() {
    blockSignals(true);
    m_sessions.clear();
    m_history.reset();
    m_audit.reset();
}

// ---- sessions ----

void EngineWorker::open(SessionId id, const SessionTarget& target) {
    begin(id, std::make_unique<Session>(target, m_monitorOptions, m_history.get(), *m_audit, *m_clock));
}

void EngineWorker::openLab(SessionId id, const lab::LabOrder& order) {
    begin(id, std::make_unique<RecordedLab>(order, *m_clock));
}

void EngineWorker::begin(SessionId id, std::unique_ptr<OpenSession> opened) {
    if (m_ending) {
        Q_EMIT reported(id, SessionClosed());
        return;
    }
    OpenSession& session = *m_sessions.emplace(id, std::move(opened)).first->second;
    connect(&session, &OpenSession::reported, this,
            [this, id](const SessionReport& report) { Q_EMIT reported(id, report); });
    // Queued, because the session is in one of its coroutines at that time.
    connect(
        &session, &OpenSession::closed, this, [this, id] { onClosed(id); }, Qt::QueuedConnection);
    session.open();
}

void EngineWorker::request(SessionId session, OperationId id, const SessionRequest& request) {
    if (const auto named = m_sessions.find(session); named != m_sessions.end())
        named->second->request(id, request);
    else if (const std::optional<SessionReport> refusal = refusalOf(id, request))
        Q_EMIT reported(session, *refusal);
}

void EngineWorker::close(SessionId id, control::OwnLocksAtExit ownLocks) {
    if (const auto named = m_sessions.find(id); named != m_sessions.end())
        named->second->close(ownLocks);
}

void EngineWorker::onClosed(SessionId id) {
    m_sessions.erase(id);
    Q_EMIT reported(id, SessionClosed());
    if (m_ending && m_sessions.empty())
        Q_EMIT shutDownFinished();
}

void EngineWorker::shutDown(control::OwnLocksAtExit ownLocks) {
    if (std::exchange(m_ending, true))
        return;
    for (const auto& [id, session] : m_sessions)
        session->close(ownLocks);
    if (m_sessions.empty())
        Q_EMIT shutDownFinished();
}

// ---- the history of all ----

void EngineWorker::readHistory(OperationId id, const history::HistoryQuery& query) {
    if (m_history)
        m_history->read(id, query);
    else
        Q_EMIT historyRead(id, {});
}

void EngineWorker::forgetHistory(OperationId id, const profile::ProfileId& profile) {
    if (m_history)
        m_history->forget(id, profile);
    else
        Q_EMIT historyForgotten(id, {});
}

void EngineWorker::setRetention(const history::Retention& retention) {
    if (m_history)
        m_history->setRetention(retention);
}

}  // namespace lockkeeper

#include "moc_engineworker.cpp"
