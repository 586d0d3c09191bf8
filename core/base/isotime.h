// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper {

// "2026-01-31T12:00:00.123Z": ISO 8601 in UTC, for programs.
[[nodiscard]] LOCKKEEPER_EXPORT QString isoTime(WallTime time);
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray isoTimeBytes(WallTime time);
// The reverse of isoTime(); nothing if the text has another form, or a time beyond what WallTime holds (1678 to 2261).
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<WallTime> timeFromIso(const QString& text);

// The moment so many milliseconds after the begin of 1970, read from a text; nothing beyond what WallTime holds.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<WallTime> wallTimeAt(Milliseconds sinceEpoch);

// "13:00:00.123": local time, for people at a terminal.
[[nodiscard]] LOCKKEEPER_EXPORT QString clockTime(WallTime time);

}  // namespace lockkeeper
