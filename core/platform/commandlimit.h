// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// What a GuardedCommand sends to its guard. Without Qt, because the guard starts while the lock is already held.
namespace lockkeeper::platform {

// What to wait for after the command has ended: nothing else, the processes of its session, all processes that it has
// started.
enum class WaitFor { Command, Session, All };

// The times that limit the command, in steadyTime(). At endAt it is ended as by GuardedCommand::end(). At killAt the
// remaining processes get SIGKILL, even if the grace of end() is not over. While the program, or the guard's keeper, is
// gone, killOrphansAt applies as killAt does, because nobody then renews the lock that the command works under.
struct CommandLimit {
    std::chrono::steady_clock::time_point endAt = std::chrono::steady_clock::time_point::max();
    std::chrono::steady_clock::time_point killAt = std::chrono::steady_clock::time_point::max();
    std::chrono::steady_clock::time_point killOrphansAt = std::chrono::steady_clock::time_point::max();
};

}  // namespace lockkeeper::platform
