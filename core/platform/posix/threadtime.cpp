// SPDX-License-Identifier: Apache-2.0
#include "platform/threadtime.h"

#include <time.h>

namespace lockkeeper::platform {

std::chrono::nanoseconds threadTime() {
    timespec time{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace lockkeeper::platform
