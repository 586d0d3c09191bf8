// SPDX-License-Identifier: Apache-2.0
#include "platform/steadytime.h"

namespace lockkeeper::platform {

std::chrono::steady_clock::time_point steadyTime() {
    return std::chrono::steady_clock::now();
}

}  // namespace lockkeeper::platform
