// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "control/forcerelease.h"
#include "control/operations.h"
#include "lockkeeper_monitor_export.h"
#include "locks/kinds/lock.h"

#include <QHash>
#include <QObject>

#include <map>

namespace lockkeeper::control {

// Executes the operator's actions: takes and releases locks as a client with its own id, and breaks locks of other
// holders, with a line in the audit before and after. On a read-only connection every operation is answered NotPermitted, and nothing connects. Thread: that of
// its clock.
class LOCKKEEPER_MONITOR_EXPORT Console : public QObject {
    Q_OBJECT
public:
    // shards: where its locks are; they outlive it. log, place: as for ForceRelease.
    Console(const redis::ConnectionOptions& options, topology::Shards& shards, Clock& clock, AuditLog* log,
            const AuditPlace& place, QObject* parent = nullptr);
    // Unfinished operations end as cancelled; locks still held stay until their lease expires.
    ~Console() override;

    void open();
    // The server is a replica: every operation is answered NotPermitted, with its master, until open() is called.
    // master: "host:port"; may be empty.
    void refuseOnReplica(const QString& master);

    // Each is answered by one operationFinished() with its id.
    void acquire(OperationId id, const AcquireRequest& request);
    void release(OperationId id, const ReleaseRequest& request);
    void forceRelease(OperationId id, const ForceReleaseRequest& request);
    // Ends an acquire that waits. Other operations cannot be cancelled and end by themselves.
    void cancel(OperationId id);

    [[nodiscard]] QList<OwnLock> ownLocks() const;
    // Releases every hold of every lock of this console, as far as possible until the deadline.
    [[nodiscard]] Task<void> releaseAll(Deadline deadline);

Q_SIGNALS:
    void operationFinished(lockkeeper::OperationId id, const lockkeeper::control::OperationResult& result);
    // The server has confirmed that this console broke the lock; `broken` is the lock's state before.
    void forceReleased(const lockkeeper::monitor::LockSnapshot& broken);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    // The lock was taken away, or its lease expired.
    void ownLockLost(const lockkeeper::LockName& name, lockkeeper::locks::LossReason why);

private:
    Task<void> runAcquire(OperationId id, AcquireRequest request, std::stop_token stop);
    Task<Result<Done>> whenReady(LockName name);
    Task<void> runRelease(OperationId id, LockName name);
    // Taken again and released once.
    Task<void> runExtend(OperationId id, AcquireRequest request);
    Task<void> runForceRelease(OperationId id, ForceReleaseRequest request);
    void noteChange(const ForceReleaseRequest& request, const ForceReport& report);
    void beginQuarantine(const ForceReleaseRequest& request);
    Task<void> runQuarantine(LockName name);
    // Releases it, and wakes its waiters.
    Task<Result<BreakOutcome>> endQuarantine(LockName name, Deadline deadline);
    [[nodiscard]] locks::Lock lockOf(OwnLockKind kind, const LockName& name);
    // The hold that is released first; nothing if there is none.
    [[nodiscard]] std::optional<locks::HoldKey> holdOf(const LockName& name) const;
    [[nodiscard]] OwnLockKind kindOf(const locks::HoldKey& key) const;
    void finish(OperationId id, OperationResult result);
    [[nodiscard]] bool refused(OperationId id, const LockName& name);
    [[nodiscard]] Deadline commandDeadline() const;

    const redis::AccessMode m_access;
    std::optional<Error> m_replicaRefusal;  // of every operation
    locks::LockClient m_client;
    ForceRelease m_force;
    QHash<OperationId, std::stop_source> m_waiting;
    // What the holds do not say of themselves.
    struct Taken {
        OwnLockKind kind = OwnLockKind::Reentrant;
        std::optional<qint64> token;
    };
    QHash<locks::HoldKey, Taken> m_taken;
    struct Quarantine {
        monitor::LockSnapshot held;  // as this console holds it
        OwnLockKind kind = OwnLockKind::Reentrant;
        Deadline until;
        Completion<Done> ended;  // before its time
    };
    std::map<LockName, Quarantine> m_quarantines;
    TaskScope m_scope;
};

}  // namespace lockkeeper::control
