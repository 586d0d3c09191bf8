// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/nonreentrantlock.h"

#include "locks/dialect/reentrantdialect.h"
#include "locks/lockclientstate.h"

namespace lockkeeper::locks {

NonReentrantLock::NonReentrantLock(LockClient& client, const LockName& name)
    : Lock(client, nonReentrantDialect(), name) {}

NonReentrantFairLock::NonReentrantFairLock(LockClient& client, const LockName& name)
    : Lock(client, client.state().fairDialect(Reentry::Refused), name) {}

}  // namespace lockkeeper::locks
