// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/epochtime.h"

namespace lockkeeper::monitor {

std::optional<WallTime> wallTimeIn(const QByteArray& epochMilliseconds) {
    constexpr double last =
        static_cast<double>(std::chrono::duration_cast<Milliseconds>(WallTime::duration::max()).count());
    bool isNumber = false;
    const double milliseconds = epochMilliseconds.toDouble(&isNumber);
    const bool isInRange = milliseconds >= 0 && milliseconds < last;  // false for NaN
    if (!isNumber || !isInRange)
        return std::nullopt;
    return WallTime(Milliseconds(static_cast<qint64>(milliseconds)));
}

}  // namespace lockkeeper::monitor
