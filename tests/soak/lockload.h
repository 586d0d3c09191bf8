// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/clientlog.h"

#include "base/systemclock.h"
#include "redis/connection.h"
#include "redis/script.h"

#include <QHash>
#include <QTimer>

#include <deque>
#include <functional>
#include <random>

namespace lockkeeper::soak {

// Clients that change locks by Redisson's scripts, on one connection, so that the server executes their commands in the
// order of the log. Some locks change very often; the others are held long, and renewed, released, deleted, or left to
// expire.
class LockLoad {
public:
    struct Sizes {
        int locks;
        int hot;   // of these locks, how many get three quarters of the changes
        int rate;  // changes a second
        uint seed;
    };
    using OnLine = std::function<void(const LogLine& line)>;
    LockLoad(const redis::ConnectionOptions& server, const Sizes& sizes, OnLine onLine);
    LockLoad(const LockLoad&) = delete;
    LockLoad& operator=(const LockLoad&) = delete;
    ~LockLoad();

    // Acquires all locks.
    void begin();
    void setRunning(bool running) { m_isRunning = running; }
    // To be called after a flush or the loss of all data: all locks are free, and are acquired again within seconds.
    void noteAllGone();

    [[nodiscard]] bool isReady() const { return m_isReady; }
    [[nodiscard]] bool isIdle() const { return m_inFlight == 0 && m_doubtful == 0; }
    [[nodiscard]] bool isFilled() const { return m_toFill.empty() && isIdle(); }
    // Uses the connection of the load, for what the faults need.
    Completion<redis::RespValue> send(const redis::Command& command) { return m_connection.send(command); }
    // Gets all held locks, as the server has them, with the rest of their leases.
    using OnState = std::function<void(const QHash<LockName, std::pair<Hold, Milliseconds>>&)>;
    void readAll(const OnState& onState);

private:
    struct Lock {
        std::optional<Hold> hold;  // as if everything sent was executed
        WallTime leaseEnd{};
        WallTime freeSince{};
        int inFlight = 0;
        bool isDoubtful =
            false;            // an answer was lost, or is not the expected one: the lock is read before the next change
        bool isLeft = false;  // its holder has died
    };

    void onState(redis::Connection::State state);
    void prepare();
    void tick();
    void noticeExpiries();
    void change();
    void changeLock(int lock);
    [[nodiscard]] bool mayChange(int lock);
    [[nodiscard]] int longestFree();

    void acquire(int lock);
    void addHold(int lock, const HolderId& holder, Milliseconds lease, Deed deed);
    void renew(int lock);
    void releaseOne(int lock);
    void force(int lock);
    void remove(int lock);
    void readDoubtful(int lock);
    void becomeFree(int lock);
    void doubt(int lock);

    using Judge = std::function<bool(const redis::RespValue& reply)>;
    void send(int lock, const redis::Command& command, Deed deed, Milliseconds lease, const Judge& isDone);
    void onAnswer(int lock, LogLine line, const Result<redis::RespValue>& reply, const Judge& isDone);
    void onRead(int lock, LogLine line, const Result<redis::RespValue>& reply);

    [[nodiscard]] size_t below(size_t limit) { return m_random() % limit; }
    [[nodiscard]] Milliseconds someLease();
    [[nodiscard]] HolderId someHolder(int lock);

    const Sizes m_sizes;
    const OnLine m_onLine;
    SystemClock m_clock;
    redis::Connection m_connection;
    const redis::Script m_acquire;
    const redis::Script m_release;
    const redis::Script m_renew;
    const redis::Script m_force;
    std::mt19937 m_random;
    std::vector<HolderId> m_holders;
    [[nodiscard]] Lock& lockOf(int number) { return m_locks[static_cast<size_t>(number)]; }

    std::vector<Lock> m_locks;
    struct Free {
        int lock;
        WallTime since;
    };
    std::deque<Free> m_free;   // free for the longest time first; some are held again, and none is hot
    std::deque<int> m_toFill;  // to be acquired at once
    QTimer m_ticks;
    WallTime m_lastTick{};
    double m_due = 0;
    qint64 m_sent = 0;
    int m_inFlight = 0;
    int m_doubtful = 0;
    int m_noticed = 0;
    bool m_isReady = false;
    bool m_isRunning = false;
};

[[nodiscard]] LockName lockNameOf(int lock);

}  // namespace lockkeeper::soak
