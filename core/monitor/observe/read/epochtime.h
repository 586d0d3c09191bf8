// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// A text of milliseconds since 1970, also as the score of a sorted set. Nothing if it is not a number, or is beyond
// what WallTime holds (2262); Redisson writes such a time if there is no end.
[[nodiscard]] std::optional<WallTime> wallTimeIn(const QByteArray& epochMilliseconds);

}  // namespace lockkeeper::monitor
