// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "control/console.h"
#include "session/arming.h"

#include <functional>
#include <memory>

namespace lockkeeper {

// A session's right to write. It has a console, and with it a connection that writes, only while it is armed, and after
// that as long as a lock is held or the outcome of a command is unknown. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ArmedConsole : public QObject {
    Q_OBJECT
public:
    using MakeConsole = std::function<std::unique_ptr<control::Console>()>;

    // make: null if this session must never write. sample: the name for which the server is asked what it would refuse.
    ArmedConsole(MakeConsole make, LockName sample, Clock& clock);
    ~ArmedConsole() override;

    [[nodiscard]] const Arming& arming() const noexcept { return m_arming; }
    // Arms the session for this time, or until disarm(). Does nothing if the session must never write.
    void arm(std::optional<Milliseconds> time);
    // New acquires and force-releases are refused at once; calls that were not sent yet are refused, too.
    void disarm();

    // The server is a replica: everything is refused until allowWrites(). master: as for Console.
    void refuseOnReplica(const QString& master);
    void allowWrites();

    // place: for the audit's lines of the present console from now on. A later console gets its place from `make`.
    void setPlace(const control::AuditPlace& place);

    // operationFinished() answers each call once, with its id.
    void execute(OperationId id, const control::Operation& operation);
    void cancel(OperationId id);
    // See Console.
    void checkOwnLocks();
    [[nodiscard]] Task<void> releaseAll(Deadline deadline);

Q_SIGNALS:
    void armingChanged(const lockkeeper::Arming& arming);
    // The signals of Console.
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

    const MakeConsole m_make;
    const LockName m_sample;
    Clock& m_clock;
    Arming m_arming;
    std::optional<QString> m_replicaOf;           // set while the server is a replica: the address of its master
    std::unique_ptr<control::Console> m_console;  // null while ReadOnly
    ClockTimer m_timer{m_clock, [this] { endArming(ArmingEnd::TimeOver); }};
};

}  // namespace lockkeeper
