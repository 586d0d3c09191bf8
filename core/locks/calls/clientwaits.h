// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "locks/lockclient.h"
#include "redis/command.h"
#include "redis/respvalue.h"

#include <stop_token>

namespace lockkeeper::locks {

// The waits that calls of locks, semaphores and latches have in common. All parameters by value, as in all coroutines
// here. Thread: the client's.
class ClientWaits {
public:
    // Waits until a command about this name can be sent: until waitUntil, and at least for as long as one command may
    // take. ConnectionLost and NotConnected if it takes longer.
    [[nodiscard]] static Task<Result<Done>> whenReady(LockClient* client, LockName name, Deadline waitUntil,
                                                      std::stop_token stop);
    // Answers Timeout at `next`, or another error if the caller or the client ends before.
    [[nodiscard]] static Task<Error> pauseWhileOpen(LockClient* client, Deadline next, std::stop_token stop);
    // Waits until the signals that are caused before have left; another error if the caller or the client ends before.
    [[nodiscard]] static Task<Result<Done>> whenReported(LockClient* client, std::stop_token stop);
    // Sends a command that changes nothing, so that a lost answer has no consequences. If a node does not serve the
    // name now, that node or another one is asked again after a pause.
    [[nodiscard]] static Task<Result<redis::RespValue>> ask(LockClient* client, LockName name, redis::Command command);
};

}  // namespace lockkeeper::locks
