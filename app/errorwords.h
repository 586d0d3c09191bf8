// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace lockkeeper::app {

// What the commands print of an error: the program's own reason, the system's words, or what an error reply means and
// the server's words.
[[nodiscard]] QString errorWords(const Error& error);

}  // namespace lockkeeper::app
