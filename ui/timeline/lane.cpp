// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lane.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

using monitor::EventType;

namespace {

// A list grows to more than twice its size. Most of 100,000 locks have few moments, and one holder.
constexpr qsizetype fewMoments = 3;

int freeTrack(const QList<Hold>& open) {
    int track = 0;
    const auto taken = [&](const Hold& hold) { return hold.track == track; };
    while (track < LaneHistory::mostTracks - 1 && std::any_of(open.begin(), open.end(), taken))
        ++track;
    return track;
}

}  // namespace

TimeRange LaneHistory::extent(WallTime present) const {
    TimeRange all{WallTime::max(), WallTime::min()};
    const auto include = [&all](WallTime from, WallTime to) {
        all.from = std::min(all.from, from);
        all.to = std::max(all.to, to);
    };
    for (const Moment& moment : moments)
        include(moment.at, moment.at);
    for (const Hold& hold : ended)
        include(hold.from, hold.to);
    for (const Hold& hold : open)
        include(hold.from, present);
    return all;
}

void LaneHistory::add(const Moment& moment) {
    if (moments.size() < fewMoments)
        moments.reserve(moments.size() + 1);
    moments.append(moment);
}

void LaneHistory::insert(const Moment& moment) {
    const auto place = std::ranges::upper_bound(moments, moment.at, {}, &Moment::at);
    moments.insert(place, moment);
}

void LaneHistory::begin(const monitor::Holder& holder, WallTime at, Seen seen) {
    Hold hold;
    hold.holder = holder.id;
    hold.mode = holder.mode;
    hold.deepest = holder.count;
    hold.from = at;
    hold.begin = seen;
    hold.track = freeTrack(open);
    if (open.isEmpty())
        open.reserve(1);
    open.append(hold);
}

Moment momentOf(const monitor::LockEvent& event, WallTime at) {
    Moment moment;
    moment.at = at;
    moment.type = event.type;
    moment.suspect = event.suspect;
    if (event.lock.ttl)
        moment.leaseEnd = event.lock.seenAtWall + *event.lock.ttl;
    moment.waiters = event.lock.waiters;
    moment.gap = event.gap;
    if (event.diagnosis && event.phase == monitor::DiagnosisPhase::Begun)
        moment.diagnosis = event.diagnosis->kind();
    return moment;
}

std::optional<WallTime> Lane::first() const {
    if (const LaneHistory* history = whole())
        return history->moments.isEmpty() ? std::nullopt : std::optional(history->moments.first().at);
    return found() ? std::optional(found()->at) : std::nullopt;
}

std::optional<WallTime> Lane::last() const {
    if (const LaneHistory* history = whole())
        return history->moments.isEmpty() ? std::nullopt : std::optional(history->moments.last().at);
    return first();
}

LaneHistory& Lane::edit() {
    if (!whole())
        m_kept = std::make_unique<LaneHistory>(history());
    return *std::get<Whole>(m_kept);
}

bool Lane::begin(const monitor::LockEvent& event, WallTime at) {
    const bool isPlainFind =
        event.type == EventType::Found && !event.suspect && event.gap == Milliseconds(0) && !event.diagnosis;
    if (!std::holds_alternative<std::monostate>(m_kept) || !isPlainFind)
        return false;
    const Moment moment = momentOf(event, at);
    m_kept = Found{at, event.lock.holders, moment.leaseEnd, moment.waiters};
    return true;
}

LaneHistory Lane::history() const {
    if (const LaneHistory* history = whole())
        return *history;
    LaneHistory lane;
    if (!found())
        return lane;
    for (const monitor::Holder& holder : found()->holders)
        lane.begin(holder, found()->at, Seen::No);
    Moment moment;
    moment.at = found()->at;
    moment.leaseEnd = found()->leaseEnd;
    moment.waiters = found()->waiters;
    lane.add(moment);
    return lane;
}

}  // namespace lockkeeper::ui
