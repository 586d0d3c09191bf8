// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/lockpast.h"
#include "soak/reading.h"

#include <QString>

namespace lockkeeper::soak {

// Texts for the examples in a report: holders by the end of their ids, times without the day.
[[nodiscard]] QString textOf(const std::optional<Hold>& hold);
[[nodiscard]] QString textOf(Span span);
[[nodiscard]] QString textOf(const Reading& reading);
// Some states, or readings, before and after this time.
[[nodiscard]] QString textOf(const LockPast& past, WallTime at);
[[nodiscard]] QString textOf(const std::deque<Reading>& readings, WallTime at);

}  // namespace lockkeeper::soak
