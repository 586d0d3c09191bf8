// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::test {

// The time that snapshot() of support/locksnapshots.h calls `at`.
inline SteadyTime at(Milliseconds time) {
    return SteadyTime(std::chrono::hours(1) + time);
}

}  // namespace lockkeeper::test
