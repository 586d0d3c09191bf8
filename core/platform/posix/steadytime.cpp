// SPDX-License-Identifier: Apache-2.0
#include "platform/steadytime.h"

#include <time.h>

namespace lockkeeper::platform {

// CLOCK_MONOTONIC, which std::chrono uses, stops while the machine is suspended.
std::chrono::steady_clock::time_point steadyTime() {
    timespec time{};
    if (clock_gettime(CLOCK_BOOTTIME, &time) != 0)
        return std::chrono::steady_clock::now();
    return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                                 std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace lockkeeper::platform
