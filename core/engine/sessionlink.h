// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace lockkeeper {

// The GUI's access to one session at a time: the calls and signals of the engine, without the session in each. A page
// of the window keeps one object for its whole life. Connecting again opens another session behind it, and later
// signals of the previous session are dropped. Thread: the GUI's.
class LOCKKEEPER_MONITOR_EXPORT SessionLink final : public QObject {
    Q_OBJECT
public:
    // The engine must outlive it.
    explicit SessionLink(Engine& engine, QObject* parent = nullptr);
    // Closes the session and releases its own locks.
    ~SessionLink() override;

    [[nodiscard]] Engine& engine() noexcept { return m_engine; }
    [[nodiscard]] bool isOpen() const noexcept { return m_session != SessionId::None; }

    // Closes the present session, releases its locks, and opens another session.
    void connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {});
    void connectToDemo(redis::AccessMode access);
    // closed() follows.
    void disconnectFromServer(control::OwnLocksAtExit ownLocks = control::OwnLocksAtExit::Release);
    void setLabel(const profile::ProfileLabel& label);
    void arm(std::chrono::minutes time);
    void disarm();
    void setDiscovery(monitor::DiscoveryState state);
    void retryNow();
    void record(const recording::RecordingRequest& request);
    void stopRecording();

    OperationId acquire(const control::AcquireRequest& request);
    OperationId release(const control::ReleaseRequest& request);
    OperationId forceRelease(const control::ForceReleaseRequest& request);
    OperationId identify(const monitor::HolderSearch& search);
    void cancel(OperationId operation);

Q_SIGNALS:
    // The signals of Engine for the present session. A new session begins with an empty list of own locks and a batch
    // with `reset`.
    void connectionChanged(const lockkeeper::ConnectionStatus& status);
    void armingChanged(const lockkeeper::Arming& arming);
    void batchReady(const lockkeeper::monitor::MonitorBatch& batch);
    void historyLoaded(const std::vector<lockkeeper::monitor::LockEvent>& events);
    void operationFinished(lockkeeper::OperationId operation, const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::OperationId operation, const lockkeeper::monitor::HolderIdentity& identity);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    void ownLockLost(const lockkeeper::LockName& name, lockkeeper::locks::LossReason why);
    void releaseRefused(const lockkeeper::LockName& name, const lockkeeper::Error& why);
    void recordingChanged(const lockkeeper::recording::RecordingStatus& status);
    void closed();

private:
    void closePresent();
    void forgetState();

    Engine& m_engine;
    SessionId m_session = SessionId::None;
};

}  // namespace lockkeeper
