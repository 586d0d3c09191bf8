// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "control/acquire.h"
#include "control/forcerelease.h"
#include "control/operations.h"
#include "control/ownlockaudit.h"
#include "control/ownlocks.h"
#include "control/quarantine.h"
#include "control/writingdenials.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>
#include <QObject>

#include <stop_token>

namespace lockkeeper::control {

// Refused: held locks are renewed and may be released, and nothing else is written.
enum class Writing { Allowed, Refused };

// Executes the operator's actions: takes and releases locks as a client with its own id, and breaks locks of other
// holders. Acquires, and changes of locks of others, have a line in the audit before and after; releases and losses
// have one after. On a read-only connection every operation is answered NotPermitted, and nothing connects. Thread:
// that of its clock.
class LOCKKEEPER_MONITOR_EXPORT Console : public QObject {
    Q_OBJECT
public:
    // shards: of the locks; must outlive it. log, place: see ForceRelease.
    // clientOptions: what the Java clients of the same locks have set.
    Console(const redis::ConnectionOptions& options, topology::Shards& shards, Clock& clock, AuditLog* log,
            const AuditPlace& place, const locks::LockClientOptions& clientOptions = locks::LockClientOptions(),
            QObject* parent = nullptr);
    // Unfinished operations end as cancelled. Locks that are still held stay until their lease expires.
    ~Console() override;

    // Who it is to the server: the client in the holders of its locks.
    [[nodiscard]] const ClientId& client() const { return m_client.id(); }

    void open();
    // The server is a replica: every operation is answered NotPermitted, with its master, until open() is called.
    // master: "host:port"; may be empty.
    void refuseOnReplica(const QString& master);

    // place: for the audit's lines from now on.
    void setPlace(const AuditPlace& place);
    // See ForceRelease.
    void requireProof(ForceRelease::Proof isDead) { m_force.requireProof(std::move(isDead)); }
    // Refused also ends the acquires and force-releases that were not sent, and those that a node refused without
    // executing them.
    void setWriting(Writing writing);
    // Whether it holds nothing, no operation is running, and the outcome of every sent command is known.
    [[nodiscard]] bool isIdle() const;

    // operationFinished() answers each call once, with its id.
    void execute(OperationId id, const Operation& operation);
    // Ends an acquire that waits. Other operations cannot be cancelled.
    void cancel(OperationId id);

    // Asks the server once what it would refuse, by a script that only reads. sample: see RightsQuestion.
    void askRights(const LockName& sample);
    // What the server has refused to this console's user so far, or would refuse.
    [[nodiscard]] const QList<WritingDenial>& denied() const noexcept { return m_denials.list(); }
    [[nodiscard]] RightsInAdvance rightsInAdvance() const noexcept { return m_rightsInAdvance; }
    [[nodiscard]] QList<OwnLock> ownLocks() const;
    // Reads what the server keeps of the own locks.
    void checkOwnLocks();
    // Releases every hold of every lock of this console, as far as possible until the deadline.
    [[nodiscard]] Task<void> releaseAll(Deadline deadline);

Q_SIGNALS:
    void operationFinished(lockkeeper::OperationId id, const lockkeeper::control::OperationResult& result);
    // The server has confirmed that this console broke the lock. broken: the lock's state before.
    void forceReleased(const lockkeeper::monitor::LockSnapshot& broken);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    // isIdle() may be true now.
    void becameIdle();
    // denied() or rightsInAdvance() has changed.
    void deniedChanged();
    // A connection that writes was lost. It connects again.
    void connectionLost(const lockkeeper::Error& why);
    // The lock was taken away, or its lease expired.
    void ownLockLost(const lockkeeper::LockName& name, lockkeeper::locks::LossReason why);
    // A release was refused, and no operation waits for it any more: the lock may stay until its lease expires.
    void releaseRefused(const lockkeeper::LockName& name, const lockkeeper::Error& why);

private:
    [[nodiscard]] AcquireRequest onServer(AcquireRequest request) const;
    void begin(OperationId id, const AcquireRequest& asked);
    void begin(OperationId id, const ReleaseRequest& request);
    void begin(OperationId id, const ForceReleaseRequest& request);
    Task<void> runAcquire(OperationId id, AcquireRequest request, std::stop_token stop);
    Task<Result<Done>> whenReady(LockName name);
    Task<void> runRelease(OperationId id, LockName name);
    Task<void> runExtend(OperationId id, AcquireRequest request);
    Task<void> runForceRelease(OperationId id, ForceReleaseRequest request);
    void noteChange(const ForceReleaseRequest& request, Deadline until);
    Task<OperationResult> releaseOnce(LockName name);
    // The result with NotArmed, if the operation was cancelled because the console is not armed any more.
    [[nodiscard]] OperationResult notCancelled(OperationResult result) const;
    void finish(OperationId id, OperationResult result);
    // The last step of an operation: waits until the outcome of its commands is known.
    Task<void> settle(locks::HoldKey key);
    void noteUnsettled(const locks::HoldKey& key, const Error& why);
    void noteRefusal(const locks::HoldKey& key, const Error& why);
    void noteDenial(const Error& error);
    Task<void> runRightsQuestion(LockName sample);
    void noteLost(const locks::HoldKey& key, locks::LossReason why);
    void cancelWaiting();
    [[nodiscard]] std::optional<Error> notArmed() const;
    [[nodiscard]] bool refused(OperationId id, const LockName& name);
    // As refused(), for operations other than a release: new ones are refused while writing is refused.
    [[nodiscard]] bool newRefused(OperationId id, const LockName& name);
    [[nodiscard]] Deadline commandDeadline() const;

    const redis::AccessMode m_access;
    std::optional<Error> m_replicaRefusal;  // the answer to every operation while it is set
    Writing m_writing = Writing::Allowed;
    int m_underWay = 0;  // operations, until the outcome of their commands is known
    locks::LockClient m_client;
    ForceRelease m_force;
    OwnLockAudit m_audit;
    OwnLocks m_own;
    Acquire m_acquire;
    Quarantine m_quarantine;
    WritingDenials m_denials;
    RightsInAdvance m_rightsInAdvance = RightsInAdvance::Unknown;
    QHash<OperationId, std::stop_source> m_waiting;
    std::stop_source m_extending;  // stops the running extensions
    TaskScope m_scope;
};

}  // namespace lockkeeper::control
