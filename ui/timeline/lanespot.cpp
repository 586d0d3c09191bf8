// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanespot.h"

#include "ui/timeline/timelinewords.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

namespace {

constexpr int reach = 5;  // pixels around a mark that count as on it

}  // namespace

const Mark* LaneSpot::mark(int within) const {
    return lane && column >= 0 ? markAt(lane->geometry, column, within) : nullptr;
}

std::optional<WallTime> LaneSpot::event() const {
    if (const Mark* near = mark(reach))
        return near->last.at;
    return bar ? std::optional(bar->first.from) : std::nullopt;
}

QString LaneSpot::text(const TimelineWords& words, const ProgramNames& names) const {
    if (!lane)
        return {};
    if (column < 0)
        return names.withKey(lane->name);
    return words.at(lane->geometry, column, mark(bar ? 1 : reach), bar);
}

}  // namespace lockkeeper::ui
