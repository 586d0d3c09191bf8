// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QString>

#include <optional>

namespace lockkeeper::recording {

// A deadline in a scenario as in clienttrace.h, as the server would have it: milliseconds since 1970. "<now+N>" is N
// milliseconds after readAt, "<deadline>" one that the file does not say: nothing. Other words stay.
[[nodiscard]] std::optional<QString> deadlineIn(const QString& value, WallTime readAt);

}  // namespace lockkeeper::recording
