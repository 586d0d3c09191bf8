// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/commandlimit.h"

// The messages between a GuardedCommand and its guard, on a socket that keeps messages apart.
namespace lockkeeper::platform {

enum class GuardOrder : int { Signal, End, Limit, Suspend, Halt, Resume };

struct ToGuard {
    GuardOrder order;
    int signal;          // Signal, End
    CommandLimit limit;  // Limit
};

enum class GuardReport : int { Began, NotStarted, Ended, Suspended, LimitReached };

struct FromGuard {
    GuardReport report;
    int value;  // Began: the process id of the guard. NotStarted: an errno. Ended: the exit code
};

constexpr char guardWord[] = "--guard";  // the first argument of a guard, for people who read a list of processes

}  // namespace lockkeeper::platform
