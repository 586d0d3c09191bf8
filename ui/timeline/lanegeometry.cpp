// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanegeometry.h"

#include "monitor/analyse/diagnose.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockkeeper::ui {

namespace {

using monitor::EventType;

std::optional<MarkKind> markOf(const Moment& moment) {
    switch (moment.type) {
        case EventType::Found:
        case EventType::Acquired:
            return MarkKind::Taken;
        case EventType::HandedOver:
            return moment.suspect ? MarkKind::Doubtful : MarkKind::Taken;
        case EventType::Released:
            return MarkKind::Left;
        case EventType::Expired:
        case EventType::Deleted:
        case EventType::Gone:
        case EventType::Forced:
            return MarkKind::Lost;
        case EventType::Renewed:
            return MarkKind::Renewed;
        case EventType::Reentered:
        case EventType::ReleasedOnce:
        case EventType::ThreadSeen:
        case EventType::WaiterRemoved:
        case EventType::WaitersWoken:
        case EventType::ExpirySet:
            return MarkKind::Count;
        case EventType::Diagnosed:
            return MarkKind::Doubtful;
        case EventType::Waiters:     // shown by the curve
        case EventType::NotWatched:  // shown by the hatching
        case EventType::Swept:
        case EventType::Emptied:
            break;
    }
    return std::nullopt;
}

// The least and the greatest value of a line in each column.
class Line {
public:
    explicit Line(int width) : m_columns(static_cast<size_t>(width)) {}

    void cover(int column, double low, double high) {
        Extent& extent = m_columns[static_cast<size_t>(column)];
        extent.low = extent.any ? std::min(extent.low, low) : low;
        extent.high = extent.any ? std::max(extent.high, high) : high;
        extent.any = true;
    }
    void erase(const Columns& columns) {
        std::fill(m_columns.begin() + columns.left, m_columns.begin() + columns.right + 1, Extent());
    }
    [[nodiscard]] double greatest() const {
        double greatest = 0;
        for (const Extent& extent : m_columns)
            greatest = std::max(greatest, extent.high);
        return greatest;
    }
    [[nodiscard]] std::vector<Stroke> strokes() const {
        std::vector<Stroke> strokes;
        const double whole = greatest();
        for (size_t i = 0; whole > 0 && i < m_columns.size(); ++i) {
            if (m_columns[i].any)
                strokes.push_back({static_cast<int>(i), m_columns[i].low / whole, m_columns[i].high / whole});
        }
        return strokes;
    }

private:
    struct Extent {
        bool any = false;
        double low = 0;
        double high = 0;
    };
    std::vector<Extent> m_columns;
};

// A lane while it is laid out: the arguments, and the result so far.
class Layout {
public:
    Layout(const LaneHistory& lane, const TimeRange& range, WallTime now, int width)
        : m_lane(lane), m_range(range), m_now(now), m_width(width) {}

    LaneGeometry run(const std::vector<Gap>& allGaps) {
        addGaps(allGaps);
        addBars();
        addMarks();
        addLines();
        addOverdue();
        return std::move(m_result);
    }

private:
    [[nodiscard]] int column(WallTime time) const {
        const double place = std::floor(m_range.fraction(time) * m_width);
        return static_cast<int>(std::clamp(place, 0.0, m_width - 1.0));
    }
    [[nodiscard]] bool isSeen(WallTime from, WallTime to) const { return from <= m_range.to && to >= m_range.from; }
    [[nodiscard]] Columns columns(WallTime from, WallTime to) const { return {column(from), column(to)}; }

    void addGaps(const std::vector<Gap>& allGaps) {
        for (const Gap& gap : allGaps)
            addGap(gap);
        if (m_lane.unwatchedSince && m_now > *m_lane.unwatchedSince)
            addGap({*m_lane.unwatchedSince, m_now});
        // The lock was held already when it was found: nobody has seen since when.
        if (const auto& moments = m_lane.moments; !moments.empty() && moments.front().type == EventType::Found)
            addGap({std::min(m_range.from, moments.front().at), moments.front().at});
        // A gap lies before its moment: one that ends behind the range may begin in it.
        for (auto moment = firstIn(); moment != m_lane.moments.end(); ++moment) {
            if (moment->type == EventType::NotWatched || moment->gap > Milliseconds(0))
                addGap({moment->at - moment->gap, moment->at});
        }
        std::sort(m_result.gaps.begin(), m_result.gaps.end(),
                  [](const Columns& a, const Columns& b) { return a.left < b.left; });
        std::vector<Columns> merged;
        for (const Columns& gap : m_result.gaps) {
            if (!merged.empty() && gap.left <= merged.back().right + 1)
                merged.back().right = std::max(merged.back().right, gap.right);
            else
                merged.push_back(gap);
        }
        m_result.gaps = std::move(merged);
    }
    void addGap(const Gap& gap) {
        if (isSeen(gap.from, gap.to))
            m_result.gaps.push_back(columns(gap.from, gap.to));
    }

    void addBars() {
        const auto first = std::lower_bound(m_lane.ended.begin(), m_lane.ended.end(), m_range.from,
                                            [](const Hold& hold, WallTime from) { return hold.to < from; });
        m_barOfTrack.fill(none);
        for (auto hold = first; hold != m_lane.ended.end(); ++hold)
            addBar(*hold, hold->to, false);
        for (const Hold& hold : m_lane.open)
            addBar(hold, std::max(m_now, hold.from), true);
    }
    void addBar(const Hold& hold, WallTime to, bool isOpen) {
        if (!isSeen(hold.from, to))
            return;
        m_result.tracks = std::max(m_result.tracks, hold.track + 1);
        Columns place = outsideGaps(columns(hold.from, to));
        if (place.count() <= 0)
            return;
        size_t& last = m_barOfTrack[static_cast<size_t>(hold.track)];
        if (last != none) {
            Bar& before = m_result.bars[last];
            const bool hidden = place.right <= before.columns.right;
            if (hidden || isCrowd(before, place)) {
                before.columns.right = std::max(before.columns.right, place.right);
                ++before.holds;
                return;
            }
            place.left = std::max(place.left, before.columns.right + 1);
        }
        last = m_result.bars.size();
        m_result.bars.push_back({place, hold.track, 1, hold, isOpen});
    }
    // After the begin of a gap nothing is certain, and the columns of a gap show only the gap.
    [[nodiscard]] Columns outsideGaps(Columns place) const {
        for (const Columns& gap : m_result.gaps) {
            if (gap.contains(place.left))
                place.left = gap.right + 1;
            else if (place.left < gap.left)
                place.right = std::min(place.right, gap.left - 1);
        }
        return place;
    }
    // The two bars are side by side, and too narrow to be distinguished.
    static bool isCrowd(const Bar& before, const Columns& next) {
        return before.columns.right + 1 >= next.left && next.count() <= 2 &&
               (before.holds > 1 || before.columns.count() <= 1);
    }

    [[nodiscard]] QList<Moment>::const_iterator firstIn() const {
        return std::lower_bound(m_lane.moments.begin(), m_lane.moments.end(), m_range.from,
                                [](const Moment& moment, WallTime from) { return moment.at < from; });
    }

    void addMarks() {
        std::array<size_t, markKinds> lastOfKind{};
        lastOfKind.fill(none);
        for (auto moment = firstIn(); moment != m_lane.moments.end() && moment->at <= m_range.to; ++moment) {
            const std::optional<MarkKind> kind = markOf(*moment);
            if (!kind)
                continue;
            size_t& last = lastOfKind[static_cast<size_t>(*kind)];
            const int place = column(moment->at);
            if (last != none && m_result.marks[last].column == place) {
                ++m_result.marks[last].events;
                m_result.marks[last].last = *moment;
                continue;
            }
            last = m_result.marks.size();
            m_result.marks.push_back({place, *kind, 1, *moment});
        }
    }

    // Both lines run from each moment to the next: the lease falls with time, the number of waiters stays.
    void addLines() {
        Line lease(m_width);
        Line waiters(m_width);
        auto moment = firstIn();
        if (moment != m_lane.moments.begin())
            --moment;
        for (; moment != m_lane.moments.end() && moment->at <= m_range.to; ++moment) {
            const auto next = moment + 1;
            const WallTime until = next == m_lane.moments.end() ? std::max(m_now, moment->at) : next->at;
            if (!isSeen(moment->at, until))
                continue;
            addLease(lease, *moment, until);
            if (moment->waiters)
                addLevel(waiters, columns(moment->at, until), *moment->waiters);
        }
        for (const Columns& gap : m_result.gaps) {
            lease.erase(gap);
            waiters.erase(gap);
        }
        m_result.longestLease = Milliseconds(std::llround(lease.greatest()));
        m_result.lease = lease.strokes();
        m_result.mostWaiters = static_cast<int>(waiters.greatest());
        m_result.waiters = waiters.strokes();
    }
    void addLease(Line& line, const Moment& moment, WallTime until) const {
        if (!moment.leaseEnd)
            return;
        const Columns place = columns(moment.at, until);
        for (int i = place.left; i <= place.right; ++i) {
            const WallTime enter = std::max(moment.at, m_range.at(static_cast<double>(i) / m_width));
            const WallTime leave = std::min(until, m_range.at((i + 1.0) / m_width));
            line.cover(i, leftOf(moment, std::max(enter, leave)), leftOf(moment, enter));
        }
    }
    static double leftOf(const Moment& moment, WallTime time) {
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(*moment.leaseEnd - time);
        return std::max(static_cast<double>(left.count()) / 1000.0, 0.0);
    }
    static void addLevel(Line& line, const Columns& place, double value) {
        for (int i = place.left; i <= place.right; ++i)
            line.cover(i, value, value);
    }

    // A watchdog renews after each third of the lease; half as long again is late. A hold without a renewal may have a
    // fixed lease.
    void addOverdue() {
        auto moment = firstIn();
        for (int back = 0; moment != m_lane.moments.begin() && back < mostStepsBack; ++back) {
            --moment;
            if (moment->type == EventType::Renewed)
                break;
        }
        const Moment* renewal = nullptr;
        for (; moment != m_lane.moments.end() && moment->at <= m_range.to; ++moment) {
            if (endsWaitForRenewal(moment->type)) {
                addOverdue(renewal, moment->at);
                renewal = nullptr;
            }
            if (moment->type == EventType::Renewed && moment->leaseEnd)
                renewal = &*moment;
        }
        const bool isOver = m_lane.open.isEmpty();
        addOverdue(isOver ? nullptr : renewal, m_now);
    }
    void addOverdue(const Moment* renewal, WallTime until) {
        if (!renewal)
            return;
        const WallTime late = renewal->at + monitor::overdueAfter(toMilliseconds(*renewal->leaseEnd - renewal->at));
        if (late >= until || !isSeen(late, until))
            return;
        const Columns place = outsideGaps(columns(late, until));
        if (place.count() > 0)
            m_result.overdue.push_back(place);
    }
    static bool endsWaitForRenewal(EventType type) {
        return type != EventType::Waiters && type != EventType::Diagnosed && type != EventType::Reentered &&
               type != EventType::ReleasedOnce;
    }

    static constexpr int mostStepsBack = 1000;  // moments
    static constexpr size_t none = static_cast<size_t>(-1);
    const LaneHistory& m_lane;
    const TimeRange& m_range;
    const WallTime m_now;
    const int m_width;
    LaneGeometry m_result;
    std::array<size_t, LaneHistory::mostTracks> m_barOfTrack{};
};

// The order by weight of marks that share a column.
bool isGraver(MarkKind a, MarkKind b) {
    constexpr std::array<int, markKinds> weight = {3, 2, 4, 0, 1, 5};
    return weight[static_cast<size_t>(a)] > weight[static_cast<size_t>(b)];
}

}  // namespace

LaneGeometry layOut(const LaneHistory& lane, const std::vector<Gap>& allGaps, const TimeRange& range, WallTime now,
                    int width) {
    if (width <= 0)
        return {};
    return Layout(lane, range, now, width).run(allGaps);
}

const Mark* markAt(const LaneGeometry& lane, int column, int reach) {
    const Mark* found = nullptr;
    for (const Mark& mark : lane.marks) {
        const int distance = std::abs(mark.column - column);
        const int best = found ? std::abs(found->column - column) : reach + 1;
        if (distance < best || (found && distance == best && isGraver(mark.kind, found->kind)))
            found = &mark;
    }
    return found;
}

const Bar* barAt(const LaneGeometry& lane, int column, int track) {
    const auto found = std::find_if(lane.bars.begin(), lane.bars.end(),
                                    [&](const Bar& bar) { return bar.track == track && bar.columns.contains(column); });
    return found == lane.bars.end() ? nullptr : &*found;
}

}  // namespace lockkeeper::ui
