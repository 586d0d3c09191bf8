// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <functional>
#include <optional>

namespace lockkeeper::redis {

// Called before a script is sent again because the server refused it without executing it. The script then runs after
// the commands that were sent since its first sending. If an Error is returned, the script is not sent again, and the
// Error is its answer.
using BeforeSendingAgain = std::function<std::optional<Error>()>;

}  // namespace lockkeeper::redis
