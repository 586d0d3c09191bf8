// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanestack.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

LaneStack::LaneStack(const TimelineHistory& history, QWidget& timeline)
    : m_history(history), m_timeline(timeline), m_scrollBar(new QScrollBar(Qt::Vertical, &timeline)) {
    m_scrollBar->setObjectName(QStringLiteral("timelineLanes"));
    m_scrollBar->setCursor(Qt::ArrowCursor);
    m_scrollBar->hide();
}

void LaneStack::want(Choice choice) {
    m_choice = std::max(m_choice, choice);
}

bool LaneStack::layOut(const Moment& moment) {
    std::vector<Gap> gaps = m_history.gaps(moment.wallNow);
    if (const std::optional<WallTime> since = m_history.knownSince(); since && moment.range.from < *since)
        gaps.push_back({moment.range.from, *since});
    const auto isUnknown = [this](const PaintedLane& lane) { return !m_history.knows(lane.name); };
    if (std::ranges::any_of(m_lanes, isUnknown))
        want(Choice::InPlace);
    const bool isToChoose = m_choice != Choice::None;
    if (isToChoose)
        choose(moment);
    const int columns = places().columns();
    const std::span<const PaintedLane> seen = inSight();
    for (PaintedLane& lane : std::span(m_lanes).subspan(static_cast<size_t>(seen.data() - m_lanes.data()), seen.size()))
        lane.geometry = ui::layOut(*m_history.lane(lane.name), gaps, moment.range, moment.present, columns);
    return isToChoose;
}

void LaneStack::choose(const Moment& moment) {
    const std::optional<LockName> selected = std::exchange(m_shownSelection, m_requests.selected);
    const PresentLanes shown{names(), m_choice == Choice::InPlace ? PresentLanes::Order::InPlace : m_options.order};
    const auto most = static_cast<size_t>(m_options.count);
    m_lanes.clear();
    for (LockName& name : chooseLanes(m_history, moment.range, m_requests, shown, places().room(), most)) {
        const LaneRank rank = name == m_requests.selected ? LaneRank::Selected : LaneRank::Other;
        const bool isPinned = m_requests.pinned.contains(name);
        m_lanes.push_back({std::move(name), rank, isPinned, {}});
    }
    m_chosenAt = moment.present;
    m_choice = Choice::None;
    fitScrollBar();
    if (m_requests.selected && m_requests.selected != selected)
        scrollTo(*m_requests.selected);
}

TimelineLayout LaneStack::places() const {
    const int bar = m_scrollBar->isHidden() ? 0 : m_scrollBar->width();
    return {{m_timeline.width() - bar, m_timeline.height()}, count(), m_options.lowestLane()};
}

std::span<const PaintedLane> LaneStack::inSight() const {
    const std::span<const PaintedLane> all(m_lanes);
    const size_t first = std::min(static_cast<size_t>(m_scrollBar->value()), all.size());
    return all.subspan(first, std::min(places().room(), all.size() - first));
}

std::vector<LockName> LaneStack::names() const {
    std::vector<LockName> names;
    std::ranges::transform(m_lanes, std::back_inserter(names), &PaintedLane::name);
    return names;
}

std::vector<LockName> LaneStack::namesInSight() const {
    std::vector<LockName> names;
    std::ranges::transform(inSight(), std::back_inserter(names), &PaintedLane::name);
    return names;
}

bool LaneStack::reachPresent() const {
    return std::ranges::any_of(inSight(), [this](const PaintedLane& lane) {
        const LaneHistory history = *m_history.lane(lane.name);
        return !history.open.isEmpty() || history.unwatchedSince;
    });
}

const PaintedLane* LaneStack::laneAt(const QPoint& position) const {
    const int index = places().laneAt(position.y());
    const std::span<const PaintedLane> lanes = inSight();
    const bool isAboveAxis = position.y() < places().axis().top();
    return isAboveAxis && index >= 0 && static_cast<size_t>(index) < lanes.size() ? &lanes[static_cast<size_t>(index)]
                                                                                  : nullptr;
}

const Bar* LaneStack::barAt(const PaintedLane& lane, const QPoint& position) const {
    const TimelineLayout layout = places();
    const int index = layout.laneAt(position.y());
    for (int track = 0; track < lane.geometry.tracks; ++track) {
        if (layout.track(index, track, lane.geometry.tracks).contains(position))
            return ui::barAt(lane.geometry, layout.columnAt(position.x()), track);
    }
    return nullptr;
}

LaneSpot LaneStack::spotAt(const QPoint& position) const {
    const PaintedLane* lane = laneAt(position);
    if (!lane)
        return {};
    return {lane, places().columnAt(position.x()), barAt(*lane, position)};
}

void LaneStack::fitScrollBar() {
    const auto room = static_cast<int>(places().room());
    const int extent = m_scrollBar->sizeHint().width();
    m_scrollBar->setRange(0, std::max(count() - room, 0));
    m_scrollBar->setPageStep(room);
    m_scrollBar->setGeometry(m_timeline.width() - extent, 0, extent, m_timeline.height() - TimelineLayout::axisHeight);
    m_scrollBar->setVisible(m_scrollBar->maximum() > 0);
}

void LaneStack::scrollTo(const LockName& name) {
    const auto found = std::ranges::find(m_lanes, name, &PaintedLane::name);
    const auto place = static_cast<int>(found - m_lanes.begin());
    if (found != m_lanes.end())
        m_scrollBar->setValue(std::clamp(m_scrollBar->value(), place - static_cast<int>(places().room()) + 1, place));
}

QPoint LaneStack::showSelected() {
    const LockName selected = m_requests.selected.value_or(LockName());
    scrollTo(selected);
    const std::span<const PaintedLane> seen = inSight();
    const auto found = std::ranges::find(seen, selected, &PaintedLane::name);
    return places().name(found == seen.end() ? 0 : static_cast<int>(found - seen.begin())).center();
}

void LaneStack::scrollBy(int lanes) {
    m_scrollBar->setValue(m_scrollBar->value() + lanes);
}

void LaneStack::scrollByPages(int pages) {
    scrollBy(pages * m_scrollBar->pageStep());
}

}  // namespace lockkeeper::ui
