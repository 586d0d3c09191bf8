// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

namespace lockkeeper::lab::demo {

// The lease that the demo's clients renew. Shorter than Redisson's 30 s, so that a viewer sees renewals and expiries
// soon.
inline constexpr Milliseconds watchdogTimeout{9000};
// A worker that holds the lock below dies after the first time, and returns after the second.
inline constexpr Milliseconds workUntilDeath{7000};
inline constexpr Milliseconds restAfterDeath{20000};

// The thread that takes the locks, in each client; such as a Java service has.
inline constexpr ThreadId worker{33};

[[nodiscard]] inline LockName lockOfTheDyingWorker() {
    return LockName("report:weekly");
}

}  // namespace lockkeeper::lab::demo
