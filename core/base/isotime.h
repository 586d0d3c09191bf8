#pragma once

#include "base/clock.h"

#include <QString>

#include <optional>

namespace lockkeeper {

// "2026-01-31T12:00:00.123Z": for machines, in the one form that all of them read.
[[nodiscard]] LOCKKEEPER_EXPORT QString isoTime(WallTime time);
// The way back; nothing when the text is no such time.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<WallTime> timeFromIso(const QString& text);

// "13:00:00.123", local: for people, in a terminal.
[[nodiscard]] LOCKKEEPER_EXPORT QString clockTime(WallTime time);

}  // namespace lockkeeper
