// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::monitor {

// How many entries a lock counts as, where the number of entries is bounded: one, and one more for each thousand bytes
// of its name. Redis accepts names of up to 512 MB, so a bound of entries alone would not bound the memory.
[[nodiscard]] inline qsizetype weightOf(const LockName& name) {
    constexpr qsizetype bytesOfAnEntry = 1000;
    return 1 + name.bytes().size() / bytesOfAnEntry;
}

}  // namespace lockkeeper::monitor
