// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "redis/connection.h"

#include <chrono>

namespace lockkeeper::test {

// Sends a command and waits for its answer.
inline Task<Result<redis::RespValue>> ask(redis::Connection* connection, redis::Command command) {
    const Completion<redis::RespValue> reply = connection->send(command);
    co_return co_await reply.wait(Deadline::in(connection->clock(), std::chrono::seconds(10)));
}

}  // namespace lockkeeper::test
