#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RSpinLock: nobody subscribes and unlock publishes nothing; whoever waits looks again after 1 ms, then ever
// less often down to every 128 ms. For locks held very shortly; for others it costs the server more than a
// ReentrantLock.
class LOCKKEEPER_EXPORT SpinLock : public Lock {
public:
    SpinLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
