#pragma once

#include "async/taskscope.h"
#include "control/operations.h"
#include "lockkeeper_monitor_export.h"
#include "locks/lockclient.h"
#include "monitor/observe/read/lockreader.h"

#include <QHash>
#include <QObject>

namespace lockkeeper::control {

// The operator's hands: takes and gives back locks as a client of its own, and breaks those of others. On a read-only connection
// every operation is answered NotPermitted, and nothing connects. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT Console : public QObject {
    Q_OBJECT
public:
    Console(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport, Clock& clock, QObject* parent = nullptr);
    // Operations under way end as cancelled; locks still held are left to their lease.
    ~Console() override;

    void open();

    // Each is answered by one operationFinished() with its id.
    void acquire(OperationId id, const AcquireRequest& request);
    void release(OperationId id, const ReleaseRequest& request);
    void forceRelease(OperationId id, const ForceReleaseRequest& request);
    // Ends the waiting of an acquire; others are on their way and end by themselves.
    void cancel(OperationId id);

    [[nodiscard]] QList<OwnLock> ownLocks() const;
    // Every hold of every lock of this console, as far as it can be done until the deadline.
    [[nodiscard]] Task<void> releaseAll(Deadline deadline);

Q_SIGNALS:
    void operationFinished(lockkeeper::OperationId id, const lockkeeper::control::OperationResult& result);
    // The server has confirmed that this console broke it; the lock is as it was before.
    void forceReleased(const lockkeeper::monitor::LockSnapshot& broken);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    // Somebody took it away, or its lease ran out.
    void ownLockLost(const lockkeeper::LockName& name, const QString& why);

private:
    Task<void> runAcquire(OperationId id, AcquireRequest request, std::stop_token stop);
    Task<Result<Done>> whenReady();
    Task<void> runRelease(OperationId id, LockName name);
    Task<void> runForceRelease(OperationId id, monitor::LockSnapshot confirmed);
    Task<void> tellWhatChanged(OperationId id, LockName name);
    void finish(OperationId id, OperationResult result);
    [[nodiscard]] bool refusedAsReadOnly(OperationId id, const LockName& name);
    [[nodiscard]] Deadline commandDeadline() const;

    const redis::AccessMode m_access;
    locks::LockClient m_client;
    monitor::Denials m_denials;
    monitor::LockReader m_reader;
    QHash<OperationId, std::stop_source> m_waiting;
    TaskScope m_scope;
};

}  // namespace lockkeeper::control
