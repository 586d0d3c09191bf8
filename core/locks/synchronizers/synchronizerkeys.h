// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace lockkeeper::locks {

// The names of Redisson (core/locks/protocol.md, "Semaphores and latches"). The key of a semaphore or a latch is its
// own name.

// Of both kinds of semaphores.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray semaphoreChannel(const LockName& name);
// Sorted set with the ends of the leases of a semaphore's permits.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray permitLeases(const LockName& name);
// Always with braces, also around a name that has some.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray latchChannel(const LockName& name);

}  // namespace lockkeeper::locks
