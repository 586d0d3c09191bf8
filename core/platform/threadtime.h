// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <chrono>

namespace lockkeeper::platform {

// The CPU time that the calling thread has taken so far. Portable: always zero.
[[nodiscard]] LOCKKEEPER_EXPORT std::chrono::nanoseconds threadTime();

}  // namespace lockkeeper::platform
