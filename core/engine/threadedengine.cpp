#include "engine/threadedengine.h"

#include "engine/engineworker.h"

namespace lockkeeper {

ThreadedEngine::ThreadedEngine(const monitor::MonitorOptions& options, const history::RecorderOptions& recorderOptions,
                               QObject* parent)
    : Engine(parent) {
    qRegisterMetaType<OperationId>();
    // Timers and sockets live where they are made: the worker is made on its thread, before this returns.
    auto* starter = new QObject;
    starter->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-engine"));
    m_thread.start();
    QMetaObject::invokeMethod(
        starter, [this, options, recorderOptions] { m_worker = new EngineWorker(options, recorderOptions); },
        Qt::BlockingQueuedConnection);
    starter->deleteLater();
    connect(m_worker, &EngineWorker::connectionChanged, this, &Engine::connectionChanged);
    connect(m_worker, &EngineWorker::historyLoaded, this, &Engine::historyLoaded);
    connect(m_worker, &EngineWorker::historyFailed, this, &Engine::historyFailed);
    connect(m_worker, &EngineWorker::historySetAside, this, &Engine::historySetAside);
    connect(m_worker, &EngineWorker::historyRead, this, &Engine::historyRead);
    connect(m_worker, &EngineWorker::historyForgotten, this, &Engine::historyForgotten);
    connect(m_worker, &EngineWorker::batchReady, this, &ThreadedEngine::onBatch);
    connect(m_worker, &EngineWorker::operationFinished, this, &Engine::operationFinished);
    connect(m_worker, &EngineWorker::holderIdentified, this, &Engine::holderIdentified);
    connect(m_worker, &EngineWorker::ownLocksChanged, this, &Engine::ownLocksChanged);
    connect(m_worker, &EngineWorker::ownLockLost, this, &Engine::ownLockLost);
    connect(m_worker, &EngineWorker::shutDownFinished, this, &Engine::shutDownFinished);
}

ThreadedEngine::~ThreadedEngine() {
    // Ended on its own thread and before that stops: what it leaves to be deleted later is deleted when the thread finishes.
    post([](EngineWorker& worker) {
        delete &worker;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

template <typename Call>
void ThreadedEngine::post(Call call) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, call = std::move(call)] { call(*worker); }, Qt::QueuedConnection);
}

void ThreadedEngine::connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames) {
    EngineTarget target;
    target.kind = EngineTarget::Kind::Server;
    target.profile = profile;
    target.knownNames = knownNames;
    post([target](EngineWorker& worker) { worker.goTo(target); });
}

void ThreadedEngine::connectToDemo(redis::AccessMode access) {
    EngineTarget target;
    target.kind = EngineTarget::Kind::Demo;
    target.profile.access = access;
    post([target](EngineWorker& worker) { worker.goTo(target); });
}

void ThreadedEngine::disconnectFromServer() {
    post([](EngineWorker& worker) { worker.goTo(EngineTarget()); });
}

void ThreadedEngine::setDiscovery(monitor::DiscoveryState state) {
    post([state](EngineWorker& worker) { worker.setDiscovery(state); });
}

OperationId ThreadedEngine::acquire(const control::AcquireRequest& request) {
    const OperationId id{++m_lastOperation};
    post([id, request](EngineWorker& worker) { worker.acquire(id, request); });
    return id;
}

OperationId ThreadedEngine::release(const control::ReleaseRequest& request) {
    const OperationId id{++m_lastOperation};
    post([id, request](EngineWorker& worker) { worker.release(id, request); });
    return id;
}

OperationId ThreadedEngine::forceRelease(const control::ForceReleaseRequest& request) {
    const OperationId id{++m_lastOperation};
    post([id, request](EngineWorker& worker) { worker.forceRelease(id, request); });
    return id;
}

OperationId ThreadedEngine::identify(const monitor::HolderSearch& search) {
    const OperationId id{++m_lastOperation};
    post([id, search](EngineWorker& worker) { worker.identify(id, search); });
    return id;
}

OperationId ThreadedEngine::readHistory(const history::HistoryQuery& query) {
    const OperationId id{++m_lastOperation};
    post([id, query](EngineWorker& worker) { worker.readHistory(id, query); });
    return id;
}

OperationId ThreadedEngine::forgetHistory(const QString& connection) {
    const OperationId id{++m_lastOperation};
    post([id, connection](EngineWorker& worker) { worker.forgetHistory(id, connection); });
    return id;
}

void ThreadedEngine::setRetention(const history::Retention& retention) {
    post([retention](EngineWorker& worker) { worker.setRetention(retention); });
}

void ThreadedEngine::cancel(OperationId operation) {
    post([operation](EngineWorker& worker) { worker.cancel(operation); });
}

void ThreadedEngine::shutDown(control::OwnLocksAtExit ownLocks) {
    post([ownLocks](EngineWorker& worker) { worker.shutDown(ownLocks); });
}

void ThreadedEngine::onBatch(const monitor::MonitorBatch& batch) {
    Q_EMIT batchReady(batch);
    post([](EngineWorker& worker) { worker.batchTaken(); });
}

}  // namespace lockkeeper

#include "moc_threadedengine.cpp"
