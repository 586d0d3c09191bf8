#pragma once

#include "monitor/model/locksnapshot.h"

namespace lockkeeper::monitor {

// When the first of its leases ends: its own, or that of one of its readers; SteadyTime::max() when none does. A server
// tells of changes of those keys alone that a script names beforehand, and so not of a reader's.
[[nodiscard]] SteadyTime firstEnd(const LockSnapshot& lock);
// Who the next look asks about: its readers, and those who had left by then and left something behind. Bounded.
[[nodiscard]] QList<HolderId> readersOf(const LockSnapshot& lock);

}  // namespace lockkeeper::monitor
