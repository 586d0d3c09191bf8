#include "engine/engineworker.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "redis/sockettransport.h"

namespace lockkeeper {

namespace {

using namespace std::chrono_literals;

// How long own locks may take to be given back before their lease is left to end them.
constexpr Milliseconds releaseTime = 3s;
// How long watching may wait for what the disk knows of earlier runs.
constexpr Milliseconds historyTime = 2s;

Error notConnected() {
    return Error(ErrorCode::ConnectionLost, QStringLiteral("not connected"));
}

}  // namespace

EngineWorker::EngineWorker(monitor::MonitorOptions monitorOptions, const history::RecorderOptions& recorderOptions)
    : m_monitorOptions(std::move(monitorOptions)), m_clock(this) {
    if (recorderOptions.path.isEmpty())
        return;
    m_recorder = std::make_unique<history::Recorder>(recorderOptions, m_clock);
    connect(m_recorder.get(), &history::Recorder::failed, this, &EngineWorker::historyFailed);
    connect(m_recorder.get(), &history::Recorder::setAside, this, &EngineWorker::historySetAside);
    connect(m_recorder.get(), &history::Recorder::wasRead, this, &EngineWorker::historyRead);
    connect(m_recorder.get(), &history::Recorder::forgotten, this, &EngineWorker::historyForgotten);
}

EngineWorker::~EngineWorker() {
    blockSignals(true);
    m_finder.reset();
    m_console.reset();
    m_monitor.reset();
    m_fleet.reset();
    m_scope.stop();
}

// ---- coming and going ----

void EngineWorker::goTo(const EngineTarget& target) {
    if (m_ending)
        return;
    m_next = target;
    if (!m_travelling)
        m_scope.spawn(travel());
}

Task<void> EngineWorker::travel() {
    m_travelling = true;
    while (m_next) {
        co_await leave(control::OwnLocksAtExit::Release);
        const EngineTarget target = *std::exchange(m_next, std::nullopt);
        co_await enter(target);
    }
    m_travelling = false;
}

Task<void> EngineWorker::leave(control::OwnLocksAtExit ownLocks) {
    if (m_console && ownLocks == control::OwnLocksAtExit::Release)
        co_await m_console->releaseAll(Deadline::in(m_clock, releaseTime));
    m_finder.reset();
    m_console.reset();
    m_monitor.reset();
    if (m_recorder)
        m_recorder->stop();
    co_await stopDemo();
    Q_EMIT ownLocksChanged({});
    monitor::MonitorBatch nothing;
    nothing.reset = true;
    m_eventsDropped = 0;
    onBatch(nothing);
}

Task<void> EngineWorker::stopDemo() {
    m_fleet.reset();
    if (!m_demoServer)
        co_return;
    const Completion<Done> stopped;
    connect(m_demoServer.get(), &lab::DemoServer::stopped, this, [stopped] { stopped.complete(Done()); });
    m_demoServer->stop();
    const Result<Done> ended = co_await stopped.wait(Deadline::in(m_clock, releaseTime), m_scope.stopToken());
    if (!ended)
        qCWarning(logEngine) << "the demo's server does not end:" << ended.error().text;
    m_demoServer.reset();
}

Task<void> EngineWorker::enter(EngineTarget target) {
    ConnectionStatus status;
    status.readOnly = target.profile.access == redis::AccessMode::ReadOnly;
    if (target.kind == EngineTarget::Kind::Nowhere) {
        setStatus(status);
        co_return;
    }
    status.phase = ConnectionPhase::Connecting;
    status.server = target.kind == EngineTarget::Kind::Demo ? QStringLiteral("demo") : target.profile.display();
    setStatus(status);
    redis::ConnectionOptions options = target.profile.connectionOptions();
    if (target.kind == EngineTarget::Kind::Demo) {
        const Result<redis::ConnectionOptions> demo = co_await startDemo();
        if (!demo) {
            fail(demo.error());
            co_return;
        }
        options.endpoint = demo->endpoint;
    } else {
        // The demo is another server each time: its past is nobody's.
        co_await loadHistory(status.server);
    }
    monitor::MonitorOptions monitorOptions = m_monitorOptions;
    monitorOptions.discovery = target.profile.discovery;
    monitorOptions.knownNames = target.knownNames;
    watch(options, monitorOptions);
}

Task<void> EngineWorker::loadHistory(QString connection) {
    if (!m_recorder)
        co_return;
    const Completion<std::vector<monitor::LockEvent>> answered;
    const QMetaObject::Connection listening =
        connect(m_recorder.get(), &history::Recorder::loaded, this,
                [answered, connection](const QString& loaded, const std::vector<monitor::LockEvent>& events) {
                    if (loaded == connection)
                        answered.complete(events);
                });
    m_recorder->record(connection);
    const Result<std::vector<monitor::LockEvent>> past =
        co_await answered.wait(Deadline::in(m_clock, historyTime), m_scope.stopToken());
    disconnect(listening);
    if (past && !past->empty())
        Q_EMIT historyLoaded(*past);
}

Task<Result<redis::ConnectionOptions>> EngineWorker::startDemo() {
    m_demoServer = std::make_unique<lab::DemoServer>();
    const Completion<Done> started;
    connect(m_demoServer.get(), &lab::DemoServer::started, this, [started] { started.complete(Done()); });
    connect(m_demoServer.get(), &lab::DemoServer::failed, this, [started](const Error& error) { started.complete(error); });
    m_demoServer->start();
    const Result<Done> up = co_await started.wait(Deadline::in(m_clock, 10s), m_scope.stopToken());
    if (!up) {
        m_demoServer.reset();
        co_return up.error();
    }
    m_fleet = std::make_unique<lab::SimulatedFleet>(m_demoServer->options(), m_clock);
    m_fleet->start();
    co_return m_demoServer->options();
}

void EngineWorker::watch(const redis::ConnectionOptions& options, const monitor::MonitorOptions& monitorOptions) {
    const redis::TransportFactory makeTransport = [endpoint = options.endpoint] { return redis::makeSocketTransport(endpoint); };
    m_monitor = std::make_unique<monitor::Monitor>(options, makeTransport, m_clock, monitorOptions);
    m_console = std::make_unique<control::Console>(options, makeTransport, m_clock);
    m_finder = std::make_unique<monitor::HolderFinder>(options, makeTransport, m_clock);
    connect(m_finder.get(), &monitor::HolderFinder::finished, this, &EngineWorker::holderIdentified);
    connect(m_monitor.get(), &monitor::Monitor::batchReady, this, &EngineWorker::onBatch);
    connect(m_monitor.get(), &monitor::Monitor::statusChanged, this, &EngineWorker::onMonitorStatus);
    connect(m_console.get(), &control::Console::operationFinished, this, &EngineWorker::operationFinished);
    connect(m_console.get(), &control::Console::forceReleased, this, &EngineWorker::onForceReleased);
    connect(m_console.get(), &control::Console::ownLocksChanged, this, &EngineWorker::ownLocksChanged);
    connect(m_console.get(), &control::Console::ownLockLost, this, &EngineWorker::ownLockLost);
    m_monitor->start();
}

void EngineWorker::setDiscovery(monitor::DiscoveryState state) {
    if (m_monitor)
        m_monitor->setDiscovery(state);
}

void EngineWorker::shutDown(control::OwnLocksAtExit ownLocks) {
    if (m_ending)
        return;
    m_ending = true;
    m_next.reset();
    m_scope.spawn(finishShutDown(ownLocks));
}

Task<void> EngineWorker::finishShutDown(control::OwnLocksAtExit ownLocks) {
    co_await leave(ownLocks);
    Q_EMIT shutDownFinished();
}

// ---- the connection, as the monitor sees it ----

void EngineWorker::onMonitorStatus(const monitor::MonitorStatus& monitorStatus) {
    ConnectionStatus status = m_status;
    status.error = monitorStatus.error;
    switch (monitorStatus.phase) {
        case monitor::MonitorPhase::Stopped:
        case monitor::MonitorPhase::Connecting:
            return;
        case monitor::MonitorPhase::Watching:
            status.phase = ConnectionPhase::Connected;
            status.serverVersion = bounded(QString::fromLatin1(monitorStatus.server.version));
            m_console->open();
            break;
        case monitor::MonitorPhase::Reconnecting:
            status.phase = ConnectionPhase::Reconnecting;
            status.lastHeard = monitorStatus.lastHeard;
            break;
        case monitor::MonitorPhase::Failed:
            status.phase = ConnectionPhase::Failed;
            break;
    }
    setStatus(status);
}

void EngineWorker::fail(const Error& error) {
    ConnectionStatus status = m_status;
    status.phase = ConnectionPhase::Failed;
    status.error = error;
    setStatus(status);
}

void EngineWorker::setStatus(const ConnectionStatus& status) {
    if (status == m_status)
        return;
    m_status = status;
    Q_EMIT connectionChanged(m_status);
}

// ---- batches: one at a time, so that a GUI that is busy finds one merged batch and not a queue of them ----

void EngineWorker::onBatch(const monitor::MonitorBatch& batch) {
    if (m_recorder)
        m_recorder->append(batch.events);
    m_eventsDropped += monitor::append(m_heldBatch, batch);
    if (!m_batchUnderWay)
        sendHeldBatch();
}

void EngineWorker::batchTaken() {
    m_batchUnderWay = false;
    if (!m_heldBatch.isEmpty())
        sendHeldBatch();
}

void EngineWorker::sendHeldBatch() {
    m_batchUnderWay = true;
    if (m_heldBatch.stats)
        m_heldBatch.stats->eventsDropped += m_eventsDropped;
    Q_EMIT batchReady(std::exchange(m_heldBatch, {}));
}

// Which of the events that a look brings is its doing cannot be told: the looks come by another connection, and the same
// holder may have released and taken it again in between. So it stands for itself.
void EngineWorker::onForceReleased(const monitor::LockSnapshot& broken) {
    monitor::MonitorBatch batch;
    batch.events = monitor::forcedOut(broken, m_clock.wallNow());
    onBatch(batch);
}

// ---- operations ----

void EngineWorker::acquire(OperationId id, const control::AcquireRequest& request) {
    if (m_console)
        m_console->acquire(id, request);
    else
        refuse(id, request.name);
}

void EngineWorker::release(OperationId id, const control::ReleaseRequest& request) {
    if (m_console)
        m_console->release(id, request);
    else
        refuse(id, request.name);
}

void EngineWorker::forceRelease(OperationId id, const control::ForceReleaseRequest& request) {
    if (m_console)
        m_console->forceRelease(id, request);
    else
        refuse(id, request.confirmed.name);
}

void EngineWorker::identify(OperationId id, const monitor::HolderSearch& search) {
    if (m_finder) {
        m_finder->find(id, search);
        return;
    }
    monitor::HolderIdentity unknown;
    unknown.client = search.client;
    unknown.error = notConnected();
    Q_EMIT holderIdentified(id, unknown);
}

void EngineWorker::readHistory(OperationId id, const history::HistoryQuery& query) {
    if (m_recorder)
        m_recorder->read(id, query);
    else
        Q_EMIT historyRead(id, {});
}

void EngineWorker::forgetHistory(OperationId id, const QString& connection) {
    if (m_recorder)
        m_recorder->forget(id, connection);
    else
        Q_EMIT historyForgotten(id, {});
}

void EngineWorker::setRetention(const history::Retention& retention) {
    if (m_recorder)
        m_recorder->setRetention(retention);
}

void EngineWorker::cancel(OperationId id) {
    if (m_console)
        m_console->cancel(id);
    if (m_finder)
        m_finder->cancel(id);
}

void EngineWorker::refuse(OperationId id, const LockName& name) {
    control::OperationResult result;
    result.name = name;
    result.error = notConnected();
    Q_EMIT operationFinished(id, result);
}

}  // namespace lockkeeper
