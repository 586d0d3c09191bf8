// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QDateTime>

namespace lockkeeper::ui {

// In which zone the window shows times.
enum class ClockZone { Local, Utc };

// For the whole program, as QLocale::setDefault(): local time until it is set. Thread: the GUI's.
void setClockZone(ClockZone zone);
[[nodiscard]] ClockZone clockZone();

// In the zone that is set.
[[nodiscard]] QDateTime zonedTime(WallTime time);
// format: as for QDateTime::toString(). UTC has a Z at its end, so that nobody takes it for local time.
[[nodiscard]] QString zonedText(const QDateTime& time, const QString& format);

// The word that stands in the settings; any other word is Local.
[[nodiscard]] QString toString(ClockZone zone);
[[nodiscard]] ClockZone clockZoneFromString(const QString& word);

}  // namespace lockkeeper::ui
