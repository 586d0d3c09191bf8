// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

namespace lockkeeper::platform {

// Whether a user at a terminal can answer on standard input. Portable: false.
[[nodiscard]] LOCKKEEPER_EXPORT bool isInputTerminal();

}  // namespace lockkeeper::platform
