// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::lab {

// The scenario with all of its times multiplied, so that people can follow it: watchdog timeouts, leases, waits,
// pauses, delays, clock errors, how long a dead waiter keeps its place in a fair queue, and the expected times. All are
// multiplied by the same factor, so that they keep their proportions, and the scenario ends in the same way. Times
// outside the scenario do not change: those after which a Sentinel or a Cluster counts a server as dead.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario stretched(Scenario scenario, int times);

}  // namespace lockkeeper::lab
