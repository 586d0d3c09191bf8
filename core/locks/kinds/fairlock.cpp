// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fairlock.h"

#include "locks/dialect/fairdialect.h"

namespace lockkeeper::locks {

FairLock::FairLock(LockClient& client, const LockName& name) : Lock(client, fairDialect(), name) {}

}  // namespace lockkeeper::locks
