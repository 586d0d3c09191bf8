// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <functional>
#include <optional>

namespace lockkeeper::redis {

// Called before a script is sent again that was refused without being executed: behind the commands that were sent since.
// An error: it is not sent again, and this is its answer.
using BeforeSendingAgain = std::function<std::optional<Error>()>;

}  // namespace lockkeeper::redis
