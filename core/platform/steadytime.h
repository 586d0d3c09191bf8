// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace lockkeeper::platform {

// The time of a clock that never jumps and that continues while this machine is suspended, because a server and its
// leases continue, too. The portable version is std::chrono::steady_clock, which stops during a suspension on some
// systems.
[[nodiscard]] std::chrono::steady_clock::time_point steadyTime();

}  // namespace lockkeeper::platform
