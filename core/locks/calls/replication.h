// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "redis/connection.h"

#include <memory>
#include <stop_token>

namespace lockkeeper::locks {

// Waits until replicas have received what was written: a lock that only a failing master knows can be taken twice. The
// number of replicas is read with the first lock, and again when that answer is old. WAIT blocks its connection, so
// only one WAIT is sent at a time, and all commands written before it share its answer. Thread: the connection's.
class LOCKKEEPER_EXPORT Replication {
public:
    // wanted: how many of the replicas that are in sync must acknowledge; 0 sends nothing. timeout: the time limit of
    // one WAIT, at least 1 ms and at most half of the connection's own command time-out.
    Replication(redis::Connection& connection, int wanted, Milliseconds timeout);

    // Whether the writes answered so far have reached the replicas: Timeout if too few confirm them in time. Done if
    // there are no replicas, or if this user may not run INFO or WAIT.
    [[nodiscard]] Task<Result<Done>> acknowledged(Deadline deadline, std::stop_token stop);
    // Whether acknowledged() has nothing to wait for, so that the caller saves its coroutine.
    [[nodiscard]] bool isAlone() const;
    // Call when another server may answer from now on.
    void forget();

private:
    class Rounds;
    std::shared_ptr<Rounds> m_rounds;  // shared with the commands in progress, which may outlive this object
};

}  // namespace lockkeeper::locks
