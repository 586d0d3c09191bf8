// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QString>

#include <vector>

namespace lockkeeper::ui {

// A stretch of wall time, not empty: what a timeline shows. A value.
struct TimeRange {
    static constexpr Milliseconds shortest{50};
    static constexpr Milliseconds longest{std::chrono::hours(24 * 90)};

    WallTime from{};
    WallTime to{};

    [[nodiscard]] WallTime::duration length() const { return to - from; }
    [[nodiscard]] bool contains(WallTime time) const { return from <= time && time <= to; }
    // 0 at `from`, 1 at `to`; beyond them for times outside.
    [[nodiscard]] double fraction(WallTime time) const;
    [[nodiscard]] WallTime at(double fraction) const;

    // factor: of the length, within shortest and longest; `fixed` stays where it is.
    [[nodiscard]] TimeRange zoomed(double factor, WallTime fixed) const;
    [[nodiscard]] TimeRange moved(WallTime::duration by) const { return {from + by, to + by}; }
    [[nodiscard]] TimeRange endingAt(WallTime end) const { return {end - length(), end}; }

    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

// Round local times in the range, for an axis: at most `most` of them.
struct TimeTicks {
    Milliseconds step{};
    std::vector<WallTime> times;

    // As exact as the step is: "14:02:11.250", "14:02:11", "14:02", "2026-01-31".
    [[nodiscard]] QString text(WallTime tick) const;
};

[[nodiscard]] TimeTicks ticksIn(const TimeRange& range, int most);

}  // namespace lockkeeper::ui
