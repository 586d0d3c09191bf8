// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::lab {

// The scenario with each of its times so many times as long, so that people can follow it: watchdog timeouts, leases, waits,
// pauses, delays, clocks that are wrong, how long a dead waiter keeps its place in a fair queue, and the times that it expects. All of
// them together: then they stand to each other as before, and it ends in the same way. What is not the scenario's stays: after what
// time a Sentinel or a Cluster takes a server for dead.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario stretched(Scenario scenario, int times);

}  // namespace lockkeeper::lab
