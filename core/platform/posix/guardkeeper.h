// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace lockkeeper::platform {

// Runs the guard in a child of this process, which is the keeper. Signals must be blocked. If the guard is killed, the
// keeper kills all processes that the guard has left, and reports this on the socket. If the keeper is killed, the
// guard gets SIGCHLD and has another parent. Returns the exit code of this process.
[[nodiscard]] int runKept(int socket, const std::function<int()>& guard);

}  // namespace lockkeeper::platform
