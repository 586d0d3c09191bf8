// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QString>

#include <optional>

namespace lockkeeper::recording {

// Converts a deadline in a scenario (see clienttrace.h) to the text that a server would have: milliseconds since 1970.
// "<now+N>" is N milliseconds after readAt. Nothing for "<deadline>", whose time is not in the file. Other words stay.
[[nodiscard]] std::optional<QString> deadlineIn(const QString& value, WallTime readAt);

}  // namespace lockkeeper::recording
