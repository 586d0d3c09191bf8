// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/readwritelock.h"

#include "locks/dialect/readdialect.h"
#include "locks/dialect/writedialect.h"

namespace lockkeeper::locks {

ReadLock::ReadLock(LockClient& client, const LockName& name) : Lock(client, readDialect(), name) {}

WriteLock::WriteLock(LockClient& client, const LockName& name) : Lock(client, writeDialect(), name) {}

}  // namespace lockkeeper::locks
