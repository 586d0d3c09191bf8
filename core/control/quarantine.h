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
// wakes its waiters; if it was taken away before, that is reported at once. Thread: the client's.
class Quarantine final : public QObject {
    Q_OBJECT
public:
    // No acquire of the operator's may be a reentry of what is in quarantine, so it has a thread of its own.
    static constexpr ThreadId thread{2};

    // The client and the audit outlive it.
    Quarantine(locks::LockClient& client, OwnLockAudit& audit);
    ~Quarantine() override;
    // Ends its tasks. The client must be closed before, because a release takes no stop token.
    void stop();

    [[nodiscard]] bool isEmpty() const noexcept { return m_kept.empty(); }
    [[nodiscard]] bool contains(const LockName& name) const { return m_kept.contains(name); }
    [[nodiscard]] QList<OwnLock> ownLocks() const;

    // The server has confirmed it. until: the end of its time.
    void begin(const ForceReleaseRequest& request, Deadline until);
    // broken: a lock with those of its holders who have lost it by force. It may be in quarantine.
    void noteBroken(const monitor::LockSnapshot& broken);
    // Releases it. The lock is this console's until the server has answered.
    [[nodiscard]] Task<Result<BreakOutcome>> end(LockName name, Deadline deadline);

Q_SIGNALS:
    void changed();
    // Also when its lease ended because it could not be released.
    void lost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    // At the end of its time. It is not tried again: the lease ends soon.
    void releaseRefused(const lockkeeper::LockName& name, const lockkeeper::Error& why);

private:
    struct QuarantinedLock {
        monitor::LockSnapshot held;  // as this console holds it
        locks::HoldKey key;
        Deadline until;
        Deadline leaseEnd;
        Completion<Done> ended;      // before its time
        bool isEnding = false;       // its release is under way
        bool mayBeReleased = false;  // the answer to a release was lost
        std::optional<locks::LossReason> lostMeanwhile{};  // while it was being released
    };

    Task<void> run(LockName name);
    Task<bool> tryToEnd(LockName name, Deadline deadline);
    Task<void> releaseRest(monitor::LockSnapshot held, Deadline leaseEnd);
    // It is released, or lost.
    void forget(const LockName& name);
    void notReleased(const LockName& name, const Error& why);
    void onLost(const locks::HoldKey& key, locks::LossReason why);

    locks::LockClient& m_client;
    OwnLockAudit& m_audit;
    std::map<LockName, QuarantinedLock> m_kept;
    TaskScope m_scope;
};

}  // namespace lockkeeper::control
