#pragma once

#include "async/taskscope.h"
#include "base/systemclock.h"
#include "control/console.h"
#include "engine/engine.h"
#include "history/recorder.h"
#include "lab/demoserver.h"
#include "lab/simulatedfleet.h"
#include "monitor/monitor.h"
#include "monitor/analyse/who/holderfinder.h"

#include <QObject>

namespace lockkeeper {

// Where to go: a server of the user's, or the demo's own.
struct EngineTarget {
    enum class Kind { Nowhere, Server, Demo };
    Kind kind = Kind::Nowhere;
    profile::ConnectionProfile profile;
    QList<LockName> knownNames;
};

// The engine's half on its own thread: clock, monitor, console, demo, and the order in which they come and go.
class EngineWorker : public QObject {
    Q_OBJECT
public:
    EngineWorker(monitor::MonitorOptions monitorOptions, const history::RecorderOptions& recorderOptions);
    ~EngineWorker() override;

    // Leaves where it is, giving back own locks, and goes there. Of several wishes in a row the last counts.
    void goTo(const EngineTarget& target);
    void setDiscovery(monitor::DiscoveryState state);
    void acquire(OperationId id, const control::AcquireRequest& request);
    void release(OperationId id, const control::ReleaseRequest& request);
    void forceRelease(OperationId id, const control::ForceReleaseRequest& request);
    void identify(OperationId id, const monitor::HolderSearch& search);
    void readHistory(OperationId id, const history::HistoryQuery& query);
    void forgetHistory(OperationId id, const QString& connection);
    void setRetention(const history::Retention& retention);
    void cancel(OperationId id);
    // The GUI has taken a batch: the next may come.
    void batchTaken();
    void shutDown(control::OwnLocksAtExit ownLocks);

Q_SIGNALS:
    void connectionChanged(const lockkeeper::ConnectionStatus& status);
    void batchReady(const lockkeeper::monitor::MonitorBatch& batch);
    void historyLoaded(const std::vector<lockkeeper::monitor::LockEvent>& events);
    void historyFailed(const lockkeeper::Error& error);
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void operationFinished(lockkeeper::OperationId operation, const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::OperationId operation, const lockkeeper::monitor::HolderIdentity& identity);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    void ownLockLost(const lockkeeper::LockName& name, const QString& why);
    void shutDownFinished();

private:
    Task<void> travel();
    Task<void> leave(control::OwnLocksAtExit ownLocks);
    Task<void> stopDemo();
    Task<void> enter(EngineTarget target);
    Task<Result<redis::ConnectionOptions>> startDemo();
    Task<void> loadHistory(QString connection);
    void watch(const redis::ConnectionOptions& options, const monitor::MonitorOptions& monitorOptions);
    Task<void> finishShutDown(control::OwnLocksAtExit ownLocks);
    void onMonitorStatus(const monitor::MonitorStatus& status);
    void onBatch(const monitor::MonitorBatch& batch);
    void onForceReleased(const monitor::LockSnapshot& broken);
    void sendHeldBatch();
    void fail(const Error& error);
    void setStatus(const ConnectionStatus& status);
    void refuse(OperationId id, const LockName& name);

    const monitor::MonitorOptions m_monitorOptions;
    SystemClock m_clock;
    std::unique_ptr<history::Recorder> m_recorder;  // null when there is no file to keep events in
    std::unique_ptr<lab::DemoServer> m_demoServer;
    std::unique_ptr<lab::SimulatedFleet> m_fleet;
    std::unique_ptr<monitor::Monitor> m_monitor;
    std::unique_ptr<control::Console> m_console;
    std::unique_ptr<monitor::HolderFinder> m_finder;
    std::optional<EngineTarget> m_next;
    ConnectionStatus m_status;
    bool m_batchUnderWay = false;       // on its way to a GUI that has not taken it yet
    monitor::MonitorBatch m_heldBatch;  // what came meanwhile, merged
    quint64 m_eventsDropped = 0;        // because the GUI was busy for too long
    bool m_travelling = false;
    bool m_ending = false;
    TaskScope m_scope;
};

}  // namespace lockkeeper
