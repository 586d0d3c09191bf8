// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's getNonReentrantLock() of 4.x: a ReentrantLock that a thread may take only once. A further call by the
// thread that holds it fails at once with InvalidArgument and AlreadyHeld, whatever its deadline, and the hold stays as
// it is. For the server it is the same lock as the ReentrantLock of its name.
class LOCKKEEPER_EXPORT NonReentrantLock : public Lock {
public:
    NonReentrantLock(LockClient& client, const LockName& name);
};

// Redisson's getNonReentrantFairLock(): a FairLock that a thread may take only once, as NonReentrantLock.
class LOCKKEEPER_EXPORT NonReentrantFairLock : public Lock {
public:
    NonReentrantFairLock(LockClient& client, const LockName& name);
};

}  // namespace lockkeeper::locks
