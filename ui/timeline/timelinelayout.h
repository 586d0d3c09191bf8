// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>

#include <algorithm>

namespace lockkeeper::ui {

// Where the parts of a timeline lie in a widget: names at the left, lanes beside them, the axis below. A value.
struct TimelineLayout {
    static constexpr int lowestLane = 52;
    static constexpr int highestLane = 120;
    static constexpr int axisHeight = 22;
    static constexpr int markHeight = 8;
    static constexpr int labelHeight = 13;

    QSize size;
    int lanes = 1;  // that there are; few ones are higher
    int lowest = lowestLane;

    [[nodiscard]] int namesWidth() const { return std::clamp(size.width() / 5, 60, 220); }
    [[nodiscard]] int columns() const { return std::max(size.width() - namesWidth(), 0); }
    [[nodiscard]] size_t room() const {
        return static_cast<size_t>(std::max((size.height() - axisHeight) / lowest, 1));
    }
    // As high as the room allows for all of them, or for as many as there is room for.
    [[nodiscard]] int laneHeight() const {
        const int shown = std::clamp(lanes, 1, static_cast<int>(room()));
        return std::clamp((size.height() - axisHeight) / shown, lowest, highestLane);
    }
    [[nodiscard]] int columnAt(int x) const { return x - namesWidth(); }
    // Which lane, from the top; may be more than there are.
    [[nodiscard]] int laneAt(int y) const { return y / laneHeight(); }

    [[nodiscard]] QRect name(int lane) const { return {0, lane * laneHeight(), namesWidth(), laneHeight()}; }
    [[nodiscard]] QRect lane(int lane) const { return {namesWidth(), lane * laneHeight(), columns(), laneHeight()}; }
    [[nodiscard]] QRect axis() const { return {namesWidth(), size.height() - axisHeight, columns(), axisHeight}; }
    // Within a lane, from the top: marks with their labels, bars, waiters.
    [[nodiscard]] QRect labels(int index) const {
        return lane(index).adjusted(0, 1, 0, 1 + labelHeight - laneHeight());
    }
    [[nodiscard]] QRect marks(int index) const { return lane(index).adjusted(0, 4, 0, 4 + markHeight - laneHeight()); }
    [[nodiscard]] QRect bars(int index) const { return lane(index).adjusted(0, 2 + labelHeight, 0, -13); }
    [[nodiscard]] QRect waiters(int index) const { return lane(index).adjusted(0, laneHeight() - 12, 0, -2); }
    [[nodiscard]] QRect track(int index, int track, int tracks) const {
        const QRect all = bars(index);
        const int top = all.top() + all.height() * track / tracks;
        return {all.left(), top, all.width(), all.top() + all.height() * (track + 1) / tracks - top};
    }
};

}  // namespace lockkeeper::ui
