// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::soak {

// The moment this long after the begin of a test.
inline WallTime at(Milliseconds time) {
    return WallTime(std::chrono::hours(24 * 365 * 50) + time);
}

}  // namespace lockkeeper::soak
