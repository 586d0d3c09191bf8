// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// Milliseconds since 1970, also as the score of a sorted set. Nothing: no number, or beyond what WallTime holds (2262).
// Redisson writes such a time where there is no end.
[[nodiscard]] std::optional<WallTime> wallTimeIn(const QByteArray& epochMilliseconds);

}  // namespace lockkeeper::monitor
