// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QString>
#include <QTimeZone>

#include <optional>
#include <string_view>

namespace lockkeeper::monitor {

// A time in a log.
struct LogTime {
    WallTime at{};
    bool hasZone = true;  // false: the text gives none, so it was taken as one of the zone that the reader was given
    friend bool operator==(const LogTime&, const LogTime&) = default;
};

// The time of what stands at that place: the first one of its line, else of the next line above that has one. Knows the
// usual forms of loggers, of JSON fields and of Java's own.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LogTime> timeAt(const QString& text, qsizetype place,
                                                                      const QTimeZone& zone);
// The first time from that place on.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LogTime> firstTimeIn(const QString& text, qsizetype from,
                                                                           const QTimeZone& zone);

// Whether the line may begin an entry of a log: there is a time near its begin. Fast, and no more than a guess.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasTimeAtBegin(std::string_view line);

}  // namespace lockkeeper::monitor
