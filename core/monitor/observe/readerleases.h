// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/locksnapshot.h"

namespace lockkeeper::monitor {

// When the first of the lock's leases ends, its own or a reader's; SteadyTime::max() if none ends. Tracking covers only
// the keys that a script declares, so not the readers' timeout keys.
[[nodiscard]] SteadyTime firstEnd(const LockSnapshot& lock);
// The readers that the next read asks about: the present ones, and those that left something behind. Bounded.
[[nodiscard]] QList<HolderId> readersOf(const LockSnapshot& lock);

}  // namespace lockkeeper::monitor
