// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/lanespot.h"
#include "ui/timeline/timelineoptions.h"

#include <span>

class QScrollBar;
class QWidget;

namespace lockkeeper::ui {

// The timeline's lanes, from the top: which locks have one, which of them are in sight, and what is in them. Thread:
// the GUI's.
class LaneStack final {
public:
    // How free the next choice of lanes is; InPlace: those that are there stay where they are.
    enum class Choice { None, InPlace, Free };

    struct Moment {
        TimeRange range;  // in sight
        WallTime present;
        WallTime wallNow;
    };

    // Both outlive it. Its scroll bar is a child of the timeline, at the right.
    LaneStack(const TimelineHistory& history, QWidget& timeline);

    [[nodiscard]] LaneRequests& requests() noexcept { return m_requests; }
    [[nodiscard]] const LaneRequests& requests() const noexcept { return m_requests; }
    void setOptions(const TimelineOptions& options) { m_options = options; }
    // Lanes are chosen by the next layOut(); of several requests the freest counts.
    void want(Choice choice);
    // Lays out the lanes in sight. True if lanes were chosen.
    [[nodiscard]] bool layOut(const Moment& moment);

    [[nodiscard]] bool isEmpty() const noexcept { return m_lanes.empty(); }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(m_lanes.size()); }
    // The present at which lanes were chosen last.
    [[nodiscard]] WallTime chosenAt() const noexcept { return m_chosenAt; }
    // The lanes in sight, as they were laid out last.
    [[nodiscard]] std::span<const PaintedLane> inSight() const;
    [[nodiscard]] std::vector<LockName> names() const;
    [[nodiscard]] std::vector<LockName> namesInSight() const;
    // Something in sight lasts until the present: a hold, or a gap.
    [[nodiscard]] bool reachPresent() const;
    [[nodiscard]] TimelineLayout places() const;

    [[nodiscard]] LaneSpot spotAt(const QPoint& position) const;

    [[nodiscard]] QScrollBar& scrollBar() const noexcept { return *m_scrollBar; }
    // To be called when the timeline's size has changed.
    void fitScrollBar();
    void scrollBy(int lanes);
    void scrollByPages(int pages);
    // Scrolls to the selected lock. Returns where its name is then; if it has no lane, where the first name is.
    [[nodiscard]] QPoint showSelected();

private:
    // Null where none is.
    [[nodiscard]] const PaintedLane* laneAt(const QPoint& position) const;
    [[nodiscard]] const Bar* barAt(const PaintedLane& lane, const QPoint& position) const;
    void choose(const Moment& moment);
    void scrollTo(const LockName& name);

    const TimelineHistory& m_history;
    QWidget& m_timeline;
    QScrollBar* m_scrollBar;
    TimelineOptions m_options;
    LaneRequests m_requests;
    std::optional<LockName> m_shownSelection;  // that lanes were chosen with
    Choice m_choice = Choice::Free;
    std::vector<PaintedLane> m_lanes;
    WallTime m_chosenAt{};
};

}  // namespace lockkeeper::ui
