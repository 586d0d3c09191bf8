#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RLock: same keys, values, messages and answers. Everything it does is in Lock.
class LOCKKEEPER_EXPORT ReentrantLock : public Lock {
public:
    ReentrantLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
