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
    // Until a command about this name can be sent, and for as long as one command may take, even if waitUntil has
    // passed. ConnectionLost and NotConnected if it takes longer.
    [[nodiscard]] static Task<Result<Done>> whenReady(LockClient* client, LockName name, Deadline waitUntil,
                                                      std::stop_token stop);
    // Timeout at this time; another error if the caller or the client ends before.
    [[nodiscard]] static Task<Error> pauseUntil(LockClient* client, Deadline next, std::stop_token stop);
    // For a command that changes nothing, so that a lost answer has no consequences. A node that does not serve the
    // name now is asked again after a pause, or another one is.
    [[nodiscard]] static Task<Result<redis::RespValue>> ask(LockClient* client, LockName name, redis::Command command);
};

}  // namespace lockkeeper::locks
