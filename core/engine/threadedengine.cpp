// SPDX-License-Identifier: Apache-2.0
#include "engine/threadedengine.h"

#include "base/postponed.h"
#include "engine/engineworker.h"
#include "session/session.h"

namespace lockkeeper {

ThreadedEngine::ThreadedEngine(const monitor::MonitorOptions& options, const history::HistoryOptions& historyOptions,
                               const QString& auditFolder, QObject* parent)
    : Engine(parent) {
    qRegisterMetaType<OperationId>();
    qRegisterMetaType<SessionId>();
    // Timers and sockets live on the thread where they are made, so the worker is made on its own thread, before this
    // constructor returns.
    auto* starter = new QObject;
    starter->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-engine"));
    m_thread.start();
    QMetaObject::invokeMethod(
        starter,
        [this, options, historyOptions, auditFolder] {
            m_worker = new EngineWorker(options, historyOptions, auditFolder);
        },
        Qt::BlockingQueuedConnection);
    starter->deleteLater();
    connect(m_worker, &EngineWorker::reported, this, &ThreadedEngine::pass);
    connect(m_worker, &EngineWorker::historyFailed, this, &Engine::historyFailed);
    connect(m_worker, &EngineWorker::historySetAside, this, &Engine::historySetAside);
    connect(m_worker, &EngineWorker::historyRead, this, &Engine::historyRead);
    connect(m_worker, &EngineWorker::historyForgotten, this, &Engine::historyForgotten);
    connect(m_worker, &EngineWorker::auditWritten, this, &Engine::auditWritten);
    connect(m_worker, &EngineWorker::shutDownFinished, this, &Engine::shutDownFinished);
}

ThreadedEngine::~ThreadedEngine() {
    // Ended on its own thread and before the thread stops.
    post([](EngineWorker& worker) {
        delete &worker;
        deletePostponed();
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

template <typename Call>
void ThreadedEngine::post(Call call) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, call = std::move(call)] { call(*worker); }, Qt::QueuedConnection);
}

template <typename Call>
OperationId ThreadedEngine::postAsking(Call call) {
    const OperationId id{++m_lastOperation};
    post([id, call = std::move(call)](EngineWorker& worker) { call(worker, id); });
    return id;
}

SessionId ThreadedEngine::openTarget(SessionTarget target) {
    target.recording = std::exchange(m_recordNext, std::nullopt);
    const SessionId id{++m_lastSession};
    post([id, target](EngineWorker& worker) { worker.open(id, target); });
    return id;
}

SessionId ThreadedEngine::open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                               const profile::ProfileLabel& label) {
    SessionTarget target;
    target.profile = profile;
    target.label = label;
    target.knownNames = knownNames;
    target.askpass = m_askpass;
    return openTarget(target);
}

SessionId ThreadedEngine::openDemo(redis::AccessMode access) {
    SessionTarget target;
    target.kind = SessionTarget::Kind::Demo;
    target.profile.access = access;
    return openTarget(target);
}

SessionId ThreadedEngine::openLab(const lab::LabOrder& order) {
    const SessionId id{++m_lastSession};
    post([id, order](EngineWorker& worker) { worker.openLab(id, order); });
    return id;
}

void ThreadedEngine::close(SessionId session, control::OwnLocksAtExit ownLocks) {
    post([session, ownLocks](EngineWorker& worker) { worker.close(session, ownLocks); });
}

OperationId ThreadedEngine::request(SessionId session, const SessionRequest& wanted) {
    return postAsking([session, wanted](EngineWorker& worker, OperationId id) { worker.request(session, id, wanted); });
}

OperationId ThreadedEngine::readHistory(const history::HistoryQuery& query) {
    return postAsking([query](EngineWorker& worker, OperationId id) { worker.readHistory(id, query); });
}

OperationId ThreadedEngine::forgetHistory(const profile::ProfileId& profile) {
    return postAsking([profile](EngineWorker& worker, OperationId id) { worker.forgetHistory(id, profile); });
}

void ThreadedEngine::setRetention(const history::Retention& retention) {
    post([retention](EngineWorker& worker) { worker.setRetention(retention); });
}

void ThreadedEngine::shutDown(control::OwnLocksAtExit ownLocks) {
    post([ownLocks](EngineWorker& worker) { worker.shutDown(ownLocks); });
}

void ThreadedEngine::pass(SessionId session, const SessionReport& report) {
    Q_EMIT reported(session, report);
    const auto* batch = std::get_if<BatchReady>(&report);
    if (batch && batch->receipt && batch->receipt->take())
        (void)request(session, BatchTaken());
}

}  // namespace lockkeeper

#include "moc_threadedengine.cpp"
