// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::locks {

// Redisson's names (core/locks/protocol.md, "Semaphores and latches"). The key of a semaphore or a latch is its name.

// The channel of a semaphore of either kind.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray semaphoreChannel(const LockName& name);
// Sorted set with the ends of the leases of a semaphore's permits.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray permitLeases(const LockName& name);
// The channel of a latch: always with braces, also around a name that has some.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray latchChannel(const LockName& name);

}  // namespace lockkeeper::locks
