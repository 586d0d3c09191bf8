// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace lockkeeper::platform {

// Runs the guard in a child of this process, which is the keeper. Signals must be blocked. If the guard itself is killed,
// the keeper kills all that the guard has left, and reports that on the socket; if the keeper is killed, the guard gets
// SIGCHLD and has another parent. Returns the exit code of this process.
[[nodiscard]] int runKept(int socket, const std::function<int()>& guard);

}  // namespace lockkeeper::platform
