// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/heldlocks.h"
#include "redis/script.h"

namespace lockkeeper::locks {

using redis::ScriptCall;

// Sets the leases of holds of any kind that are still held. Answers a list with 1 (set) or 0 (not held) for each.
[[nodiscard]] ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease);

}  // namespace lockkeeper::locks
