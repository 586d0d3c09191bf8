// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "control/console.h"
#include "session/arming.h"

#include <functional>
#include <memory>

namespace lockkeeper {

// A session's right to write. It has a console, and with it a connection that writes, only while it is armed, and after
// that for as long as a lock is held or it is not known what became of a command. Thread: the clock's, which outlives it.
class LOCKKEEPER_MONITOR_EXPORT ArmedConsole : public QObject {
    Q_OBJECT
public:
    using MakeConsole = std::function<std::unique_ptr<control::Console>()>;

    // make: null if this session must never write. sample: of which the server is asked what it would refuse.
    ArmedConsole(MakeConsole make, LockName sample, Clock& clock);
    ~ArmedConsole() override;

    [[nodiscard]] const Arming& arming() const noexcept { return m_arming; }
    // From now on for this time, or until disarm(). Does nothing if the session must never write.
    void arm(std::optional<Milliseconds> time);
    // New acquires and force-releases are refused at once, and so are those that were not sent.
    void disarm();

    // The server is a replica: everything is refused until allowWrites(). master: as for Console.
    void refuseOnReplica(const QString& master);
    void allowWrites();

    // Of the audit's lines from now on, while there is a console; the next one gets it from `make`.
    void setPlace(const control::AuditPlace& place);

    // Each is answered by one operationFinished() with its id.
    void acquire(OperationId id, const control::AcquireRequest& request);
    void release(OperationId id, const control::ReleaseRequest& request);
    void forceRelease(OperationId id, const control::ForceReleaseRequest& request);
    void cancel(OperationId id);
    // As Console does.
    void checkOwnLocks();
    [[nodiscard]] Task<void> releaseAll(Deadline deadline);

Q_SIGNALS:
    void armingChanged(const lockkeeper::Arming& arming);
    // As Console's.
    void operationFinished(lockkeeper::OperationId id, const lockkeeper::control::OperationResult& result);
    void forceReleased(const lockkeeper::monitor::LockSnapshot& broken);
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    void ownLockLost(const lockkeeper::LockName& name, lockkeeper::locks::LossReason why);
    void releaseRefused(const lockkeeper::LockName& name, const lockkeeper::Error& why);

private:
    void makeConsole();
    void endArming(ArmingEnd why, const std::optional<Error>& error = {});
    void closeIfIdle();
    void set(const Arming& arming);
    void refuse(OperationId id, const LockName& name);

    const MakeConsole m_make;
    const LockName m_sample;
    Clock& m_clock;
    Arming m_arming;
    std::optional<QString> m_replicaOf;  // the server is a replica
    std::unique_ptr<control::Console> m_console;  // null while ReadOnly
    ClockTimer m_timer{m_clock, [this] { endArming(ArmingEnd::TimeOver); }};
};

}  // namespace lockkeeper
