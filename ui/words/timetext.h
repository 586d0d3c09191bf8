// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

// "850 ms", "4.2 s", "12 s", "1 min 05 s", "2 h 03 min", "3 d 04 h". Negative counts as zero.
[[nodiscard]] QString durationText(Milliseconds duration);
// For a time that is left or gone by on screen: as durationText, in whole seconds from ten seconds on, tenths below.
[[nodiscard]] QString countText(Milliseconds duration);
// The time in the zone that is shown, "14:02:11", or "14:02:11Z" in UTC; with the date when that is another day than
// `now`.
[[nodiscard]] QString clockText(WallTime at, WallTime now);
// clockText() with milliseconds, for a log.
[[nodiscard]] QString preciseClockText(WallTime at, WallTime now);
// Since when what is on the screen is old, because the connection was lost. Empty while it is live.
[[nodiscard]] QString oldText(const ViewTime& time);

template <typename Duration>
[[nodiscard]] Milliseconds toMilliseconds(Duration duration) {
    return std::chrono::duration_cast<Milliseconds>(duration);
}

}  // namespace lockkeeper::ui
