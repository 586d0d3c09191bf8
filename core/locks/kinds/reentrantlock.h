// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RLock, with the same keys, values, messages and answers. All its functions are in Lock.
class LOCKKEEPER_EXPORT ReentrantLock : public Lock {
public:
    ReentrantLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
