// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/fairlock.h"

#include "locks/lockclientstate.h"

namespace lockkeeper::locks {

FairLock::FairLock(LockClient& client, const LockName& name)
    : Lock(client, client.state().fairDialect(Reentry::Counted), name) {}

}  // namespace lockkeeper::locks
