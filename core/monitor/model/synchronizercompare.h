// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"

namespace lockkeeper::monitor {

// How long after its end a lease counts as over. Redisson counts leases by the clocks of its machines, which differ by
// less.
constexpr Milliseconds leaseIsOver{10000};

// Completes a read by what the read before shows, which is null if there was none: since when each permit has its
// lease, and the diagnoses. wall: the time of the read. Pure.
LOCKKEEPER_MONITOR_EXPORT void compareWithEarlier(Synchronizer& now, const Synchronizer* before, WallTime wall);

}  // namespace lockkeeper::monitor
