// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/heldlocks.h"
#include "topology/shardconnections.h"

#include <QObject>

namespace lockkeeper::locks {

// Renews a client's locks and reports a lost one: one timer for all locks, and one command for up to a hundred locks
// (20 if they are tracked). In a Cluster each command is for one slot. Renews every third of the timeout, and at once
// after a reconnect. Thread: the connections'.
class LOCKKEEPER_EXPORT Watchdog : public QObject {
    Q_OBJECT
public:
    // All references must outlive this object.
    Watchdog(topology::ShardConnections& connections, HeldLocks& held, Milliseconds timeout, QObject* parent = nullptr);
    ~Watchdog() override;

    [[nodiscard]] Milliseconds timeout() const noexcept { return m_timeout; }
    // Call when a hold was taken or its deadline was set. If its lease ends before the next tick, as for a reentry with
    // a short lease under a renewed hold, the tick is moved forward.
    void watch(const HoldKey& key);
    void watch(const Hold& hold);
    // Ends the holds whose deadline has passed, without waiting for the timer.
    void endExpired();

Q_SIGNALS:
    // The client believed to hold the lock until now: the lease expired without a renewal, or a renewal found that the
    // server no longer names the holder.
    void lost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    void renewed();

private:
    // The content of one renewal command.
    struct Renewed {
        std::vector<std::pair<HoldKey, LeaseTicket>> holds;
        SteadyTime deadline{};
    };

    void onTimer();
    std::vector<HoldKey> takeExpired();
    // How a renewal is sent. Whole: as EVAL, because the node does not know the script.
    struct Sending {
        bool whole = false;
        QString askedAt;   // the node that ASK named; empty: the owner of the slot
        int refusals = 0;  // refused so far
    };

    void renewAll();
    void renewEach(const std::vector<HoldKey>& keys, const Sending& sending);
    void renew(const std::vector<HoldKey>& keys, const Sending& sending);
    Completion<redis::RespValue> send(const std::vector<HoldKey>& keys, const Sending& sending);
    void onRefused(const Renewed& refused, const Error& why, Sending sending);
    void renewLater(const Renewed& refused, const Sending& sending);
    [[nodiscard]] std::vector<HoldKey> stillRenewed(const Renewed& refused) const;
    void onRenewed(const Renewed& renewed, const Result<redis::RespValue>& reply);
    void tellLost(const std::vector<HoldKey>& keys, LossReason why);
    void arm();
    [[nodiscard]] Milliseconds interval() const { return std::max(m_timeout / 3, Milliseconds(1)); }

    topology::ShardConnections& m_connections;
    Clock& m_clock;
    HeldLocks& m_held;
    const Milliseconds m_timeout;
    SteadyTime m_nextTick = SteadyTime::max();
    SteadyTime m_armedFor = SteadyTime::max();
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::locks
