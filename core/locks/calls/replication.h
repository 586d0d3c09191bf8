#pragma once

#include "async/task.h"
#include "redis/connection.h"

#include <memory>
#include <stop_token>

namespace lockkeeper::locks {

// Waits until replicas have what was written: a lock that only a failing master knows of is none. How many replicas
// the server has is asked for with the first lock, and again when the answer is old. A WAIT holds up its connection, so
// there is one at a time, and all that were written before it share its answer. Thread: the connection's.
class LOCKKEEPER_EXPORT Replication {
public:
    // wanted: how many replicas must acknowledge, of those that are in step; 0 asks nobody. timeout: how long one WAIT
    // may take, at least 1 ms and at most half the connection's own limit for an answer.
    Replication(redis::Connection& connection, int wanted, Milliseconds timeout);

    [[nodiscard]] bool isWanted() const noexcept;
    // Whether the writes answered so far have reached the replicas: Timeout when too few say so in time. Done where
    // there are none, and where the server does not let this user ask.
    [[nodiscard]] Task<Result<Done>> acknowledged(Deadline deadline, std::stop_token stop);
    // Another server may answer from now on.
    void forget();

private:
    class Rounds;
    std::shared_ptr<Rounds> m_rounds;  // shared with the commands under way, which may outlive this
};

}  // namespace lockkeeper::locks
