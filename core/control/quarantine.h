// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "control/compareandrelease.h"
#include "control/ownlockaudit.h"
#include "locks/lockclient.h"

#include <QObject>

#include <map>

namespace lockkeeper::control {

// The locks that the console has taken from their holders for a while. Each is released at the end of its time, which
// wakes its waiters. The loss of such a lock before that is reported at once. Thread: the client's.
class Quarantine final : public QObject {
    Q_OBJECT
public:
    // A thread id of its own, so that no acquire of the operator is a reentry of a lock in quarantine.
    static constexpr ThreadId thread{2};

    // The client and the audit must outlive it.
    Quarantine(locks::LockClient& client, OwnLockAudit& audit);
    ~Quarantine() override;
    // Ends its tasks. The client must be closed before, because a release takes no stop token.
    void stop();

    [[nodiscard]] bool isEmpty() const noexcept { return m_kept.empty(); }
    [[nodiscard]] bool contains(const LockName& name) const { return m_kept.contains(name); }
    [[nodiscard]] QList<OwnLock> ownLocks() const;

    // The server has confirmed the quarantine. until: the end of its time.
    void begin(const ForceReleaseRequest& request, Deadline until);
    // broken: a lock, with the holders that have lost it by force. It may be in quarantine.
    void noteBroken(const monitor::LockSnapshot& broken);
    // Releases the lock. It is this console's until the server has answered.
    [[nodiscard]] Task<Result<BreakOutcome>> end(LockName name, Deadline deadline);

Q_SIGNALS:
    void changed();
    // A lock was lost; also emitted when its lease expired because it could not be released.
    void lost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    // The release at the end of the time was refused. It is not tried again, because the lease expires soon.
    void releaseRefused(const lockkeeper::LockName& name, const lockkeeper::Error& why);

private:
    struct QuarantinedLock {
        monitor::LockSnapshot held;  // as this console holds it
        locks::HoldKey key;
        Deadline until;
        Deadline leaseEnd;
        Completion<Done> ended;                            // completes if the quarantine ends before its time
        bool isEnding = false;                             // its release is running
        bool mayBeReleased = false;                        // the answer to a release was lost
        std::optional<locks::LossReason> lostMeanwhile{};  // while it was being released
    };

    Task<void> run(LockName name);
    Task<bool> tryToEnd(LockName name, Deadline deadline);
    Task<void> releaseRest(monitor::LockSnapshot held, Deadline leaseEnd);
    // The lock was released, or lost.
    void forget(const LockName& name);
    void notReleased(const LockName& name, const Error& why);
    void onLost(const locks::HoldKey& key, locks::LossReason why);

    locks::LockClient& m_client;
    OwnLockAudit& m_audit;
    std::map<LockName, QuarantinedLock> m_kept;
    TaskScope m_scope;
};

}  // namespace lockkeeper::control
