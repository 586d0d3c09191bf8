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
    m_labs.clear();
    m_sessions.clear();
    m_history.reset();
    m_audit.reset();
}

// ---- sessions ----

void EngineWorker::open(SessionId id, const SessionTarget& target) {
    if (m_ending) {
        Q_EMIT sessionClosed(id);
        return;
    }
    auto opened = std::make_unique<Session>(target, m_monitorOptions, m_history.get(), *m_audit, *m_clock);
    Session& session = *m_sessions.emplace(id, std::move(opened)).first->second;
    follow(id, session);
    session.open();
}

void EngineWorker::follow(SessionId id, const Session& session) {
    const auto forward = [this, id, &session](auto from, auto to) {
        connect(&session, from, this, [this, id, to](const auto&... values) { Q_EMIT(this->*to)(id, values...); });
    };
    forward(&Session::connectionChanged, &EngineWorker::connectionChanged);
    forward(&Session::armingChanged, &EngineWorker::armingChanged);
    forward(&Session::batchReady, &EngineWorker::batchReady);
    forward(&Session::historyLoaded, &EngineWorker::historyLoaded);
    forward(&Session::operationFinished, &EngineWorker::operationFinished);
    forward(&Session::holderIdentified, &EngineWorker::holderIdentified);
    forward(&Session::ownLocksChanged, &EngineWorker::ownLocksChanged);
    forward(&Session::ownLockLost, &EngineWorker::ownLockLost);
    forward(&Session::releaseRefused, &EngineWorker::releaseRefused);
    forward(&Session::sshAsked, &EngineWorker::sshAsked);
    forward(&Session::sshQuestionOver, &EngineWorker::sshQuestionOver);
    forward(&Session::recordingChanged, &EngineWorker::recordingChanged);
    // Queued, because the session is in one of its coroutines at that time.
    connect(
        &session, &Session::closed, this, [this, id] { onClosed(id); }, Qt::QueuedConnection);
}

void EngineWorker::close(SessionId id, control::OwnLocksAtExit ownLocks) {
    if (Session* session = find(id))
        session->close(ownLocks);
    else if (RecordedLab* lab = findLab(id))
        lab->close();
}

void EngineWorker::onClosed(SessionId id) {
    m_sessions.erase(id);
    noteClosed(id);
}

void EngineWorker::onLabClosed(SessionId id) {
    m_labs.erase(id);
    noteClosed(id);
}

void EngineWorker::noteClosed(SessionId id) {
    Q_EMIT sessionClosed(id);
    if (m_ending && m_sessions.empty() && m_labs.empty())
        Q_EMIT shutDownFinished();
}

void EngineWorker::shutDown(control::OwnLocksAtExit ownLocks) {
    if (std::exchange(m_ending, true))
        return;
    for (const auto& [id, session] : m_sessions)
        session->close(ownLocks);
    for (const auto& [id, lab] : m_labs)
        lab->close();
    if (m_sessions.empty() && m_labs.empty())
        Q_EMIT shutDownFinished();
}

Session* EngineWorker::find(SessionId id) const {
    const auto found = m_sessions.find(id);
    return found == m_sessions.end() ? nullptr : found->second.get();
}

RecordedLab* EngineWorker::findLab(SessionId id) const {
    const auto found = m_labs.find(id);
    return found == m_labs.end() ? nullptr : found->second.get();
}

// ---- the lab ----

void EngineWorker::openLab(SessionId id, const lab::LabOrder& order) {
    if (m_ending) {
        Q_EMIT sessionClosed(id);
        return;
    }
    auto opened = std::make_unique<RecordedLab>(order, *m_clock);
    RecordedLab& session = *m_labs.emplace(id, std::move(opened)).first->second;
    connect(&session, &RecordedLab::changed, this,
            [this, id](const lab::SharedLabUpdate& update) { Q_EMIT labChanged(id, update); });
    connect(&session, &RecordedLab::recordingChanged, this,
            [this, id](const recording::RecordingStatus& status) { Q_EMIT recordingChanged(id, status); });
    connect(
        &session, &RecordedLab::closed, this, [this, id] { onLabClosed(id); }, Qt::QueuedConnection);
    session.open();
}

void EngineWorker::requestLab(SessionId id, const lab::LabRequest& request) {
    if (RecordedLab* lab = findLab(id))
        lab->request(request);
}

// ---- calls that name a session ----

void EngineWorker::setLabel(SessionId id, const profile::ProfileLabel& label) {
    if (Session* session = find(id))
        session->setLabel(label);
}

void EngineWorker::arm(SessionId id, Milliseconds time) {
    if (Session* session = find(id))
        session->arm(time);
}

void EngineWorker::disarm(SessionId id) {
    if (Session* session = find(id))
        session->disarm();
}

void EngineWorker::setDiscovery(SessionId id, monitor::DiscoveryState state) {
    if (Session* session = find(id))
        session->setDiscovery(state);
}

void EngineWorker::retryNow(SessionId id) {
    if (Session* session = find(id))
        session->retryNow();
}

void EngineWorker::record(SessionId id, const recording::RecordingRequest& request) {
    if (Session* session = find(id))
        session->record(request);
    else if (RecordedLab* lab = findLab(id))
        lab->record(request);
}

void EngineWorker::stopRecording(SessionId id) {
    if (Session* session = find(id))
        session->stopRecording();
    else if (RecordedLab* lab = findLab(id))
        lab->stopRecording();
}

void EngineWorker::sendWaitingBatch(SessionId id) {
    if (Session* session = find(id))
        session->sendWaitingBatch();
}

void EngineWorker::acquire(SessionId session, OperationId id, const control::AcquireRequest& request) {
    if (Session* named = find(session))
        named->acquire(id, request);
    else
        Q_EMIT operationFinished(session, id, control::failure(request.name, notConnected()));
}

void EngineWorker::release(SessionId session, OperationId id, const control::ReleaseRequest& request) {
    if (Session* named = find(session))
        named->release(id, request);
    else
        Q_EMIT operationFinished(session, id, control::failure(request.name, notConnected()));
}

void EngineWorker::forceRelease(SessionId session, OperationId id, const control::ForceReleaseRequest& request) {
    if (Session* named = find(session))
        named->forceRelease(id, request);
    else
        Q_EMIT operationFinished(session, id, control::failure(request.confirmed.name, notConnected()));
}

void EngineWorker::identify(SessionId session, OperationId id, const monitor::HolderSearch& search) {
    if (Session* named = find(session))
        named->identify(id, search);
    else
        Q_EMIT holderIdentified(session, id, monitor::unknownIdentity(search.client, notConnected()));
}

void EngineWorker::cancel(SessionId session, OperationId id) {
    if (Session* named = find(session))
        named->cancel(id);
}

void EngineWorker::answerSsh(SessionId id, topology::SshQuestionId question, const topology::SshAnswer& answer) {
    if (Session* session = find(id))
        session->answerSsh(question, answer);
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
