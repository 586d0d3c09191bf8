// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinehistory.h"
#include "ui/timeline/timerange.h"

namespace lockkeeper::ui {

// Pixel columns of a lane, both included.
struct Columns {
    int left = 0;
    int right = 0;

    [[nodiscard]] int count() const { return right - left + 1; }
    [[nodiscard]] bool contains(int column) const { return left <= column && column <= right; }
    friend bool operator==(const Columns&, const Columns&) = default;
};

// One hold; or several that are too short to be told apart, then `holds` says how many and `first` is one of them.
struct Bar {
    Columns columns;
    int track = 0;
    int holds = 1;
    Hold first;
    bool isOpen = false;  // still held at the present
};

// What a line covers in one column, as shares of its greatest value.
struct Stroke {
    int column = 0;
    double low = 0;
    double high = 0;
};

enum class MarkKind { Taken, Left, Lost, Renewed, Count, Doubtful };
constexpr int markKinds = 6;

// The events of one kind in one column.
struct Mark {
    int column = 0;
    MarkKind kind = MarkKind::Taken;
    int events = 1;
    Moment last;
};

// One lane as primitives. Each column has at most one bar of a track, one stroke of a line and one mark of a kind, so
// their number is bounded by the width. A value, independent of any painter.
struct LaneGeometry {
    int tracks = 1;
    std::vector<Bar> bars;
    std::vector<Stroke> lease;  // the sawtooth: what was left of it
    std::vector<Stroke> waiters;
    std::vector<Mark> marks;
    std::vector<Columns> overdue;  // a renewal was due, and did not come
    std::vector<Columns> gaps;     // not watched: nothing else but marks lies in them
    Milliseconds longestLease{0};  // what `lease` is a share of
    int mostWaiters = 0;           // what `waiters` is a share of
};

// width: columns that the range is spread over. now: where open holds and lines end for the time being.
// allGaps: when no lock was watched.
[[nodiscard]] LaneGeometry layOut(const LaneHistory& lane, const std::vector<Gap>& allGaps, const TimeRange& range,
                                  WallTime now, int width);

// The mark nearest to the column, within so many columns; of those in one column the gravest. Null when there is none.
[[nodiscard]] const Mark* markAt(const LaneGeometry& lane, int column, int reach);
// The bar in the column, in this track of several. Null when there is none.
[[nodiscard]] const Bar* barAt(const LaneGeometry& lane, int column, int track);

}  // namespace lockkeeper::ui
