#pragma once

#include "async/task.h"
#include "redis/connection.h"

#include <stop_token>

namespace lockkeeper::locks {

// Waits until replicas have what was written: a lock that only a failing master knows of is none. How many replicas
// the server has is asked for with the first lock, and again when the answer is old. Thread: the connection's.
class LOCKKEEPER_EXPORT Replication {
public:
    // wanted: how many replicas must acknowledge, of those that there are; 0 asks nobody.
    Replication(redis::Connection& connection, int wanted, Milliseconds timeout);

    [[nodiscard]] bool isWanted() const noexcept { return m_wanted > 0; }
    // Whether the writes answered so far have reached the replicas: Timeout when too few say so in time.
    [[nodiscard]] Task<Result<Done>> acknowledged(Deadline deadline, std::stop_token stop);
    // Another server may answer from now on.
    void forget() { m_askedAt.reset(); }

private:
    [[nodiscard]] Task<Result<int>> replicas(Deadline deadline, std::stop_token stop);
    [[nodiscard]] bool isKnown() const;

    redis::Connection& m_connection;
    const int m_wanted;
    const Milliseconds m_timeout;
    int m_replicas = 0;
    std::optional<SteadyTime> m_askedAt;
};

}  // namespace lockkeeper::locks
