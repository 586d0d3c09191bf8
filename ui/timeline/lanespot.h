// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinepainter.h"

namespace lockkeeper::ui {

class ProgramNames;
class TimelineWords;

// What is at one place of a timeline. Valid until the lanes are laid out again.
struct LaneSpot {
    const PaintedLane* lane = nullptr;  // null: none is there, and nothing else either
    int column = -1;                    // of the lane; negative: over its name
    const Bar* bar = nullptr;

    // The event that a click there is about; nothing: it is about the lock alone.
    [[nodiscard]] std::optional<WallTime> event() const;
    // What is there, for a tool tip.
    [[nodiscard]] QString text(const TimelineWords& words, const ProgramNames& names) const;

private:
    // The nearest mark, within so many columns.
    [[nodiscard]] const Mark* mark(int within) const;
};

}  // namespace lockkeeper::ui
