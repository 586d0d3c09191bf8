#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RFairLock: those who wait get it in the order they came. A waiter keeps its place for its own wait, or for
// LockClientOptions::fairLockWaitTimeout when it waits without end; whoever gives up leaves the queue. tryLock with a
// deadline that has passed does not queue, and gets nothing while others do. unlock() of one that is free succeeds, as
// Redisson's does. The queue and its deadlines have no TTL on the server, by Redisson's design.
class LOCKKEEPER_EXPORT FairLock : public Lock {
public:
    FairLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
