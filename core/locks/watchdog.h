#pragma once

#include "locks/heldlocks.h"
#include "redis/connection.h"

#include <QObject>

namespace lockkeeper::locks {

// Keeps a client's locks alive, and says when one is lost: one timer for all of them, a hundred locks a command.
// Renews every third of the timeout, and at once when the connection is back after a loss. Thread: the connection's.
class LOCKKEEPER_EXPORT Watchdog : public QObject {
    Q_OBJECT
public:
    // All references must outlive it.
    Watchdog(redis::Connection& connection, HeldLocks& held, Milliseconds timeout, QObject* parent = nullptr);
    ~Watchdog() override;

    [[nodiscard]] Milliseconds timeout() const noexcept { return m_timeout; }
    // A hold was taken or its deadline was set: looks after it from now on. A lease shorter than the time to the next
    // tick, as a leased reentry under a renewed hold has, brings the tick forward.
    void watch(const HoldKey& key);
    // Ends the beliefs whose deadline has passed, as the timer does when it comes to it.
    void endExpired();

Q_SIGNALS:
    // The client believed to hold it until now: the lease ran out unrenewed, or a renewal found the holder gone.
    void lost(const lockkeeper::locks::HoldKey& key, const QString& why);

private:
    // What one renewal asked for.
    struct Renewed {
        std::vector<std::pair<HoldKey, LeaseTicket>> holds;
        SteadyTime deadline{};
    };

    void onTimer();
    void renewAll();
    enum class Sending { BySha, Whole };

    void renew(const std::vector<HoldKey>& keys, Sending sending);
    void renewWhole(const Renewed& refused);
    void onRenewed(const Renewed& renewed, const Result<redis::RespValue>& reply);
    void tellLost(const std::vector<HoldKey>& keys, const QString& why);
    void arm();
    [[nodiscard]] Milliseconds interval() const { return std::max(m_timeout / 3, Milliseconds(1)); }

    redis::Connection& m_connection;
    HeldLocks& m_held;
    const Milliseconds m_timeout;
    SteadyTime m_nextTick = SteadyTime::max();
    SteadyTime m_armedFor = SteadyTime::max();
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::locks
