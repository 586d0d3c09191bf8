// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RSpinLock: no subscription, and unlock publishes nothing. A waiter tries again after pauses,
// see LockClientOptions::spinBackOff. For locks that are held very briefly; for others it costs the server more than a
// ReentrantLock.
class LOCKKEEPER_EXPORT SpinLock : public Lock {
public:
    SpinLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
