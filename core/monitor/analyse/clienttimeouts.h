// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::monitor {

// What the user says that the clients of a server have set.
struct ClientTimeouts {
    Milliseconds watchdog{0};        // Redisson's lockWatchdogTimeout; zero: not known
    Milliseconds fairWait{300'000};  // Redisson's fairLockWaitTimeout

    friend bool operator==(const ClientTimeouts&, const ClientTimeouts&) = default;
};

}  // namespace lockkeeper::monitor
