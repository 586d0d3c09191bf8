// SPDX-License-Identifier: Apache-2.0
#include "platform/threadtime.h"

namespace lockkeeper::platform {

std::chrono::nanoseconds threadTime() {
    return {};
}

}  // namespace lockkeeper::platform
