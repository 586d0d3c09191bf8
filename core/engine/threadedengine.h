#pragma once

#include "engine/engine.h"
#include "history/recorder.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/monitor.h"

#include <QThread>

namespace lockkeeper {

class EngineWorker;

// The real Engine: everything runs on a thread of its own, so that a GUI that is busy never costs a lease. Calls go over as queued
// events, values come back as queued signals; nothing is shared and nothing is locked.
class LOCKKEEPER_MONITOR_EXPORT ThreadedEngine final : public Engine {
    Q_OBJECT
public:
    // recorderOptions: where events are kept; by default nowhere.
    explicit ThreadedEngine(const monitor::MonitorOptions& options = monitor::MonitorOptions(),
                            const history::RecorderOptions& recorderOptions = history::RecorderOptions(),
                            QObject* parent = nullptr);
    // Without a shutDown() before: ends everything at once, own locks are left to their lease.
    ~ThreadedEngine() override;

    void connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames) override;
    void connectToDemo(redis::AccessMode access) override;
    void disconnectFromServer() override;
    void setDiscovery(monitor::DiscoveryState state) override;
    OperationId acquire(const control::AcquireRequest& request) override;
    OperationId release(const control::ReleaseRequest& request) override;
    OperationId forceRelease(const control::ForceReleaseRequest& request) override;
    OperationId identify(const monitor::HolderSearch& search) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const QString& connection) override;
    void setRetention(const history::Retention& retention) override;
    void cancel(OperationId operation) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

private:
    template <typename Call>
    void post(Call call);
    void onBatch(const monitor::MonitorBatch& batch);

    QThread m_thread;
    EngineWorker* m_worker;  // lives and dies on m_thread
    quint64 m_lastOperation = 0;
};

}  // namespace lockkeeper
