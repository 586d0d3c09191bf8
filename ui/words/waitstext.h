// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"

#include <QString>

namespace lockkeeper::ui {

// Since when one of them waits: "14:02:11", "before 14:02:11" where it was there when watching began, "14:02:11 or
// later" where it is not known which of several has got in.
[[nodiscard]] QString sinceText(const monitor::WaitingSince& waiting, WallTime now);
// As sinceText(), for a narrow cell: "≤ 14:02:11", "≥ 14:02:11".
[[nodiscard]] QString shortSinceText(const monitor::WaitingSince& waiting, WallTime now);
// As sinceText(), of the one that waits longest. Empty: nobody waits, or it is not known.
[[nodiscard]] QString waitingSinceText(const monitor::LockRow& row, WallTime now);
// "1 since 14:02:11, 2 since 14:05:00", of clients that nobody names. Empty if there are none.
[[nodiscard]] QString clientsSinceText(const monitor::Waits& waits, WallTime now);
// How long others waited until they had the lock, and for how much of that it was free.
[[nodiscard]] QString waitTimesText(const monitor::WaitTimes& times);
// A wait is known by two bounds: "4.2 s", or "4.2 s to 6 s".
[[nodiscard]] QString lengthText(const monitor::WaitTimes::Length& length);

}  // namespace lockkeeper::ui
