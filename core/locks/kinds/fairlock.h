// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RFairLock: waiters get the lock in the order in which they queued. A waiter keeps its place as long as it
// waits, or for LockClientOptions::fairLockWaitTimeout if it waits without a limit; one that gives up leaves the queue.
// tryLock with a deadline that has passed does not queue, and does not take the lock while others queue. unlock() of a
// free lock succeeds, as Redisson's does. As in Redisson, the queue and its deadlines have no TTL on the server.
class LOCKKEEPER_EXPORT FairLock : public Lock {
public:
    FairLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
