#pragma once

#include "locks/heldlocks.h"
#include "redis/script.h"

namespace lockkeeper::locks {

using redis::ScriptCall;

// Sets the leases of holds of any kind, of those that are still held: a list of 1 or 0 for each answers it.
[[nodiscard]] ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease);

}  // namespace lockkeeper::locks
