// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelanes.h"

class QSettings;

namespace lockkeeper::ui {

// What the user may choose of the timeline. A value.
struct TimelineOptions {
    enum class LaneHeight { Low, Medium, High };

    static constexpr int fewestLanes = 5;
    static constexpr int mostLanes = 100;

    LaneHeight laneHeight = LaneHeight::Low;
    PresentLanes::Order order = PresentLanes::Order::Free;  // or Lasting
    int count = mostLanes;                                  // of lanes, in sight or to be scrolled to
    Milliseconds span{30'000};                              // in sight at first

    // In pixels.
    [[nodiscard]] int lowestLane() const;

    [[nodiscard]] static TimelineOptions load(QSettings& settings);
    void save(QSettings& settings) const;

    friend bool operator==(const TimelineOptions&, const TimelineOptions&) = default;
};

}  // namespace lockkeeper::ui
