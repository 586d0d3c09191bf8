// SPDX-License-Identifier: Apache-2.0
#include "engine/replayengine.h"

#include "engine/replayworker.h"

namespace lockkeeper {

ReplayEngine::ReplayEngine(recording::RecordingSource source, Clock& real, QObject* parent)
    : Engine(parent), m_source(std::move(source)), m_clock(real) {
    // The worker's timers live on the thread where it is made.
    auto* starter = new QObject;
    starter->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-replay"));
    m_thread.start();
    QMetaObject::invokeMethod(
        starter, [this] { m_worker = new ReplayWorker(*this); }, Qt::BlockingQueuedConnection);
    starter->deleteLater();
}

ReplayEngine::~ReplayEngine() {
    cancelLoading();
    post([](ReplayWorker& worker) {
        delete &worker;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

template <typename Call>
void ReplayEngine::post(Call call) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, call = std::move(call)] { call(*worker); }, Qt::QueuedConnection);
}

template <typename Answer>
OperationId ReplayEngine::answerLater(Answer answer) {
    const OperationId id{++m_lastOperation};
    QMetaObject::invokeMethod(
        this, [id, answer = std::move(answer)] { answer(id); }, Qt::QueuedConnection);
    return id;
}

// ---- the session ----

SessionId ReplayEngine::open(const profile::ConnectionProfile&, const QList<LockName>&, const profile::ProfileLabel&) {
    m_session = SessionId{1};
    post([source = m_source, stop = m_stop.get_token()](ReplayWorker& worker) { worker.load(source, stop); });
    return m_session;
}

SessionId ReplayEngine::openDemo(redis::AccessMode) {
    return open({}, {});
}

void ReplayEngine::close(SessionId session, control::OwnLocksAtExit) {
    m_session = SessionId::None;
    cancelLoading();
    QMetaObject::invokeMethod(
        this, [this, session] { Q_EMIT reported(session, SessionClosed()); }, Qt::QueuedConnection);
}

void ReplayEngine::show(const Frame& frame) {
    post([](ReplayWorker& worker) { worker.take(); });
    if (m_session == SessionId::None)
        return;
    m_clock.set(frame.course.position, frame.course.wall);
    if (frame.restarted)
        Q_EMIT reported(m_session, HistoryLoaded());
    if (frame.status)
        Q_EMIT reported(m_session, *frame.status);
    if (frame.batch)
        Q_EMIT reported(m_session, BatchReady{frame.batch, nullptr});
    Q_EMIT courseChanged(frame.course);
}

void ReplayEngine::seek(SteadyTime position) {
    post([position](ReplayWorker& worker) { worker.seek(position); });
}

void ReplayEngine::play(double speed) {
    post([speed](ReplayWorker& worker) { worker.play(speed); });
}

void ReplayEngine::pause() {
    post([](ReplayWorker& worker) { worker.pause(); });
}

void ReplayEngine::step(ReplayStep direction) {
    post([direction](ReplayWorker& worker) { worker.step(direction); });
}

// ---- what needs a server ----

SessionId ReplayEngine::openLab(const lab::LabOrder&) {
    return SessionId::None;
}

OperationId ReplayEngine::request(SessionId session, const SessionRequest& wanted) {
    return answerLater([this, session, wanted](OperationId id) {
        if (const std::optional<SessionReport> refusal = refusalOf(id, wanted))
            Q_EMIT reported(session, *refusal);
    });
}

OperationId ReplayEngine::readHistory(const history::HistoryQuery&) {
    return answerLater([this](OperationId id) { Q_EMIT historyRead(id, {}); });
}

OperationId ReplayEngine::forgetHistory(const profile::ProfileId&) {
    return answerLater([this](OperationId id) { Q_EMIT historyForgotten(id, {}); });
}

void ReplayEngine::setRetention(const history::Retention&) {}

void ReplayEngine::shutDown(control::OwnLocksAtExit) {
    QMetaObject::invokeMethod(this, &Engine::shutDownFinished, Qt::QueuedConnection);
}

}  // namespace lockkeeper

#include "moc_replayengine.cpp"
