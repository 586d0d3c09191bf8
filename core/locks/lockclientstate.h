// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/postedsignal.h"
#include "async/taskscope.h"
#include "locks/calls/opencalls.h"
#include "locks/calls/replication.h"
#include "locks/dialect/lockdialect.h"
#include "locks/heldlocks.h"
#include "locks/heldtracking.h"
#include "locks/lockclient.h"
#include "locks/unlocksignals.h"
#include "locks/watchdog.h"

#include <QHash>

#include <deque>
#include <map>

namespace lockkeeper::locks {

// The private part of a LockClient, which keeps these includes out of the client's header: its connections, what it
// believes to hold, and the calls that are not answered. Destroyed with the client.
class LockClientState {
public:
    // The client's options and clock must be set.
    LockClientState(LockClient& client, const redis::ConnectionOptions& options, topology::Shards& shards);

    [[nodiscard]] topology::ShardConnections& commands() noexcept { return m_commands; }
    [[nodiscard]] const LockDialect& fairDialect(Reentry reentry) const;
    [[nodiscard]] UnlockSignals& unlockSignals() noexcept { return m_unlockSignals; }
    [[nodiscard]] HeldLocks& held() noexcept { return m_held; }
    [[nodiscard]] HeldTracking& tracking() noexcept { return m_tracking; }
    // Whether this client still has holds of the name after one release by a holder that has so many, of this holder or
    // of others.
    [[nodiscard]] bool staysHeld(const LockName& name, qint64 count) const;
    // The replication of the server that keeps this lock; null while that server is not known.
    [[nodiscard]] Replication* replication(const LockName& name);
    [[nodiscard]] TaskScope& scope() noexcept { return m_scope; }

    // ---- what is held ----
    [[nodiscard]] LeaseTicket leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause);
    void leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause);
    void holdAcquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease, Renewal renewal);
    // The lease of a hold was changed after the acquire.
    void holdLeased(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease);
    void holdReleasedOnce(const HoldKey& key);
    void holdEnded(const HoldKey& key);
    void holdSettled(const HoldKey& key, qint64 count);

    // ---- signals of the client; they leave from the event loop, in this order ----
    // A loss is found, but its lockLost() has not left yet.
    [[nodiscard]] bool hasUnreportedLoss(const HoldKey& key) const;
    // Completes from the event loop, after every signal that is caused before.
    [[nodiscard]] Completion<Done> whenReported();
    void acquirePostponed(const HoldKey& key, const Error& why);

    // ---- acquires and releases of one holder that are sent but not answered ----
    [[nodiscard]] OpenCalls& underWay() noexcept { return m_underWay; }
    // The calls of underWay(), and the releases of what they have left.
    [[nodiscard]] OpenCalls& unsettled() noexcept { return m_unsettled; }

    // ---- calls of one holder that want a place in the queue; the last one to stop waiting removes the place ----
    void queueJoined(const HoldKey& key) { ++m_queued[key]; }
    void queueLeft(const HoldKey& key);
    [[nodiscard]] bool isQueued(const HoldKey& key) const { return m_queued.contains(key); }

private:
    struct Loss {
        HoldKey key;
        LossReason why;
    };

    void noteHeldChange();
    void onLost(const HoldKey& key, LossReason why);
    void reportLoss();

    LockClient& m_client;
    topology::ShardConnections m_commands;
    UnlockSignals m_unlockSignals;
    std::unique_ptr<const LockDialect> m_fairDialect;  // null, as the next one: the dialect without a mapper is used
    std::unique_ptr<const LockDialect> m_nonReentrantFairDialect;
    HeldLocks m_held;
    Watchdog m_watchdog;
    HeldTracking m_tracking;
    std::map<redis::Connection*, Replication> m_replications;
    OpenCalls m_underWay;
    OpenCalls m_unsettled;
    QHash<HoldKey, int> m_queued;
    std::deque<Loss> m_unreported;  // one posted call of reportLoss() for each
    PostedSignal m_heldChanged;
    PostedSignal m_lossDetectionChanged;
    TaskScope m_scope;
};

}  // namespace lockkeeper::locks
