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
    connect(m_worker, &EngineWorker::connectionChanged, this, &Engine::connectionChanged);
    connect(m_worker, &EngineWorker::armingChanged, this, &Engine::armingChanged);
    connect(m_worker, &EngineWorker::batchReady, this, &ThreadedEngine::onBatch);
    connect(m_worker, &EngineWorker::historyLoaded, this, &Engine::historyLoaded);
    connect(m_worker, &EngineWorker::operationFinished, this, &Engine::operationFinished);
    connect(m_worker, &EngineWorker::holderIdentified, this, &Engine::holderIdentified);
    connect(m_worker, &EngineWorker::ownLocksChanged, this, &Engine::ownLocksChanged);
    connect(m_worker, &EngineWorker::ownLockLost, this, &Engine::ownLockLost);
    connect(m_worker, &EngineWorker::releaseRefused, this, &Engine::releaseRefused);
    connect(m_worker, &EngineWorker::sshAsked, this, &Engine::sshAsked);
    connect(m_worker, &EngineWorker::sshQuestionOver, this, &Engine::sshQuestionOver);
    connect(m_worker, &EngineWorker::labChanged, this, &Engine::labChanged);
    connect(m_worker, &EngineWorker::recordingChanged, this, &Engine::recordingChanged);
    connect(m_worker, &EngineWorker::sessionClosed, this, &Engine::sessionClosed);
    connect(m_worker, &EngineWorker::historyFailed, this, &Engine::historyFailed);
    connect(m_worker, &EngineWorker::historySetAside, this, &Engine::historySetAside);
    connect(m_worker, &EngineWorker::historyRead, this, &Engine::historyRead);
    connect(m_worker, &EngineWorker::historyForgotten, this, &Engine::historyForgotten);
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
OperationId ThreadedEngine::request(Call call) {
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

void ThreadedEngine::requestLab(SessionId session, const lab::LabRequest& request) {
    post([session, request](EngineWorker& worker) { worker.requestLab(session, request); });
}

void ThreadedEngine::close(SessionId session, control::OwnLocksAtExit ownLocks) {
    post([session, ownLocks](EngineWorker& worker) { worker.close(session, ownLocks); });
}

void ThreadedEngine::setLabel(SessionId session, const profile::ProfileLabel& label) {
    post([session, label](EngineWorker& worker) { worker.setLabel(session, label); });
}

void ThreadedEngine::arm(SessionId session, std::chrono::minutes time) {
    post([session, time](EngineWorker& worker) { worker.arm(session, time); });
}

void ThreadedEngine::disarm(SessionId session) {
    post([session](EngineWorker& worker) { worker.disarm(session); });
}

void ThreadedEngine::setDiscovery(SessionId session, monitor::DiscoveryState state) {
    post([session, state](EngineWorker& worker) { worker.setDiscovery(session, state); });
}

void ThreadedEngine::record(SessionId session, const recording::RecordingRequest& wanted) {
    post([session, wanted](EngineWorker& worker) { worker.record(session, wanted); });
}

void ThreadedEngine::stopRecording(SessionId session) {
    post([session](EngineWorker& worker) { worker.stopRecording(session); });
}

void ThreadedEngine::retryNow(SessionId session) {
    post([session](EngineWorker& worker) { worker.retryNow(session); });
}

OperationId ThreadedEngine::acquire(SessionId session, const control::AcquireRequest& wanted) {
    return request([session, wanted](EngineWorker& worker, OperationId id) { worker.acquire(session, id, wanted); });
}

OperationId ThreadedEngine::release(SessionId session, const control::ReleaseRequest& wanted) {
    return request([session, wanted](EngineWorker& worker, OperationId id) { worker.release(session, id, wanted); });
}

OperationId ThreadedEngine::forceRelease(SessionId session, const control::ForceReleaseRequest& wanted) {
    return request(
        [session, wanted](EngineWorker& worker, OperationId id) { worker.forceRelease(session, id, wanted); });
}

OperationId ThreadedEngine::identify(SessionId session, const monitor::HolderSearch& search) {
    return request([session, search](EngineWorker& worker, OperationId id) { worker.identify(session, id, search); });
}

void ThreadedEngine::cancel(SessionId session, OperationId operation) {
    post([session, operation](EngineWorker& worker) { worker.cancel(session, operation); });
}

void ThreadedEngine::answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer) {
    post([session, question, answer](EngineWorker& worker) { worker.answerSsh(session, question, answer); });
}

OperationId ThreadedEngine::readHistory(const history::HistoryQuery& query) {
    return request([query](EngineWorker& worker, OperationId id) { worker.readHistory(id, query); });
}

OperationId ThreadedEngine::forgetHistory(const profile::ProfileId& profile) {
    return request([profile](EngineWorker& worker, OperationId id) { worker.forgetHistory(id, profile); });
}

void ThreadedEngine::setRetention(const history::Retention& retention) {
    post([retention](EngineWorker& worker) { worker.setRetention(retention); });
}

void ThreadedEngine::shutDown(control::OwnLocksAtExit ownLocks) {
    post([ownLocks](EngineWorker& worker) { worker.shutDown(ownLocks); });
}

void ThreadedEngine::onBatch(SessionId session, const monitor::SharedBatch& batch, const BatchRelay::Receipt& receipt) {
    Q_EMIT batchReady(session, batch);
    if (receipt->take())
        post([session](EngineWorker& worker) { worker.sendWaitingBatch(session); });
}

}  // namespace lockkeeper

#include "moc_threadedengine.cpp"
