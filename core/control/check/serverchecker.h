// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/check/checkanswers.h"
#include "redis/connection.h"
#include "topology/shards.h"

#include <stop_token>

namespace lockkeeper::control {

// As whom a server is asked.
struct CheckedUsers {
    redis::ConnectionOptions watching;
    std::optional<redis::Credentials> writing;  // another user who writes
};

// Asks each master of a deployment what it offers and what it refuses. Its connections are read-only, so it sends no
// write and no message; it subscribes to nothing and scans nothing. A question that the ACL is known to refuse is not
// asked: a refusal would leave a line in the server's ACL log. Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT ServerChecker {
public:
    // shards and clock must outlive it. sample: see RightsQuestion.
    ServerChecker(CheckedUsers users, topology::Shards& shards, Clock& clock, const LockName& sample);

    // The shards must be open. Errors: Cancelled, and why the shards are not known. A server that cannot be asked has
    // its error in its NodeCheck. It must outlive the task.
    [[nodiscard]] Task<Result<ServerCheck>> run(std::stop_token stop);

private:
    Task<Result<Done>> findShards(std::stop_token stop);
    Task<NodeCheck> check(topology::ShardId shard, std::stop_token stop);
    Task<Result<Done>> open(redis::Connection* connection, std::stop_token stop);
    Task<void> askRights(redis::Connection* connection, CheckAnswers* answers, std::stop_token stop);
    Task<void> askWriter(topology::ShardId shard, CheckAnswers* answers, std::stop_token stop);
    Task<void> askState(redis::Connection* connection, CheckAnswers* answers, std::stop_token stop);
    Task<void> tryUnknown(redis::Connection* connection, CheckAnswers* answers, std::stop_token stop);
    Task<Result<redis::RespValue>> ask(redis::Connection* connection, redis::Command command, std::stop_token stop);

    const CheckedUsers m_users;
    topology::Shards& m_shards;
    Clock& m_clock;
    const LockName m_sample;
};

}  // namespace lockkeeper::control
