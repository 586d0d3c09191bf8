// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/reentrantlock.h"

#include "locks/dialect/reentrantdialect.h"

namespace lockkeeper::locks {

ReentrantLock::ReentrantLock(LockClient& client, const LockName& name) : Lock(client, reentrantDialect(), name) {}

}  // namespace lockkeeper::locks
