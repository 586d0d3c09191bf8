// SPDX-License-Identifier: Apache-2.0
#pragma once

// Between a GuardedCommand and its guard, on a socket that keeps messages apart.
namespace lockkeeper::platform {

enum class GuardOrder : int { Signal, End, Suspend, Resume };

struct ToGuard {
    GuardOrder order;
    int signal;  // Signal, End
};

enum class GuardReport : int { NotStarted, Ended, Suspended };

struct FromGuard {
    GuardReport report;
    int value;  // NotStarted: an errno. Ended: the exit code
};

constexpr char guardWord[] = "--guard";  // the first argument of a program that is a guard

}  // namespace lockkeeper::platform
