// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::monitor {

// What a client was seen to do. A release is none of these, because an operator or another program may have done it,
// and neither is a subscription: the connections of a process that is frozen stay open.
enum class SignOfLife {
    None,
    Appeared,  // a lock of it was read for the first time; it may have held the lock for longer
    Acquired,
    Reentered,
    ReleasedOnce,  // one of several holds
    Renewed,       // a lock that nobody else holds
    Queued         // joined the queue of a fair lock
};

struct LastSign {
    SignOfLife what = SignOfLife::None;
    LockName lock;
    WallTime at{};

    friend bool operator==(const LastSign&, const LastSign&) = default;
};

// Stable lower-case words, such as "acquired" and "queued".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(SignOfLife sign);

}  // namespace lockkeeper::monitor
