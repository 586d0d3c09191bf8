// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/spinlock.h"

#include "locks/dialect/spindialect.h"

namespace lockkeeper::locks {

SpinLock::SpinLock(LockClient& client, const LockName& name) : Lock(client, spinDialect(), name) {}

}  // namespace lockkeeper::locks
