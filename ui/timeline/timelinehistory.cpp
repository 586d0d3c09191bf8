// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinehistory.h"

#include "monitor/model/nameweight.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <chrono>

namespace lockkeeper::ui {

namespace {

using monitor::EventType;

constexpr size_t mostGaps = 1000;

bool isEnd(EventType type) {
    return type == EventType::Released || type == EventType::Expired || type == EventType::Deleted ||
           type == EventType::Gone;
}

// The begin of a hold was not seen before the first read, after a gap, or if only some of the holders were read.
Seen beginSeen(const monitor::LockEvent& event) {
    const bool isFirst = event.type == monitor::EventType::Found || event.type == monitor::EventType::NotWatched;
    return isFirst || event.lock.isCut() ? Seen::No : Seen::Yes;
}

bool isAbout(const Hold& hold, const monitor::Holder& holder) {
    return hold.holder == holder.id && hold.mode == holder.mode;
}

qsizetype indexOf(const QList<Hold>& open, const monitor::Holder& holder) {
    const auto found = std::find_if(open.begin(), open.end(), [&](const Hold& hold) { return isAbout(hold, holder); });
    return found == open.end() ? -1 : found - open.begin();
}

bool holds(const monitor::LockSnapshot& lock, const Hold& hold) {
    return std::any_of(lock.holders.begin(), lock.holders.end(),
                       [&](const monitor::Holder& holder) { return isAbout(hold, holder); });
}

size_t extraWeightOf(const LockName& name) {
    return static_cast<size_t>(monitor::weightOf(name) - 1);
}

}  // namespace

void TimelineHistory::append(const std::vector<monitor::LockEvent>& events) {
    for (const monitor::LockEvent& event : events)
        append(event);
}

void TimelineHistory::append(const monitor::LockEvent& event) {
    if (monitor::isOfDatabase(event.type))
        return;
    if (event.lock.name.isEmpty()) {
        if (event.type == EventType::NotWatched) {
            interrupt(event.at - event.gap);
            resume(event.at);
        }
        return;
    }
    m_knownSince = std::min(m_knownSince.value_or(event.at), event.at);
    const auto [lane, isNew] = m_lanes.try_emplace(event.lock.name);
    m_longNames += isNew ? extraWeightOf(event.lock.name) : 0;
    // The lists must stay in order when the clock is set back.
    const WallTime at = std::max(event.at, lane->second.last().value_or(event.at));
    if (isNew && lane->second.begin(event, at)) {
        remember(lane, Kind::Found, at);
        return trim();
    }
    // Another holder may have been seen already when the server's answer comes.
    if (monitor::hasLockState(event))
        follow(lane, event, at);
    addMoment(lane, event, at);
    lane->second.edit().unwatchedSince.reset();
    trim();
}

void TimelineHistory::addChange(const monitor::LockEvent& event) {
    const auto lane = m_lanes.find(event.lock.name);
    if (lane == m_lanes.end() || !m_knownSince || event.at < *m_knownSince)
        return;
    lane->second.edit().insert(momentOf(event, event.at));
    remember(lane, Kind::Moment, event.at);
    trim();
}

void TimelineHistory::explain(const monitor::LockEvent& handOver) {
    const auto lane = m_lanes.find(handOver.lock.name);
    if (lane == m_lanes.end() || lane->second.isEmpty())
        return;
    for (Moment& moment : lane->second.edit().moments) {
        if (moment.at == handOver.at && moment.type == handOver.type)
            moment.suspect = false;
    }
}

void TimelineHistory::addMoment(Lanes::iterator lane, const monitor::LockEvent& event, WallTime at) {
    LaneHistory& history = lane->second.edit();
    Moment moment = momentOf(event, at);
    if (event.type == monitor::EventType::Found && history.unwatchedSince)
        moment.gap = std::max(toMilliseconds(at - *history.unwatchedSince), Milliseconds(0));
    history.add(moment);
    remember(lane, Kind::Moment, at);
}

// The event carries the lock as it is afterwards: a holder that is missing there has ended, one that is new has begun.
void TimelineHistory::follow(Lanes::iterator lane, const monitor::LockEvent& event, WallTime at) {
    LaneHistory& history = lane->second.edit();
    QList<Hold>& open = history.open;
    if (event.type == EventType::NotWatched)
        endAll(lane, at - event.gap);
    // The same holder has released the lock and taken it again between two reads.
    if (isEnd(event.type) && event.holder && indexOf(open, *event.holder) >= 0)
        end(lane, indexOf(open, *event.holder), at, Seen::Yes);
    for (qsizetype i = open.size() - 1; i >= 0; --i) {
        if (!holds(event.lock, open[i]))
            end(lane, i, at, event.lock.isCut() ? Seen::No : Seen::Yes);
    }
    for (const monitor::Holder& holder : event.lock.holders) {
        const qsizetype known = indexOf(open, holder);
        if (known < 0) {
            history.begin(holder, at, beginSeen(event));
            continue;
        }
        open[known].deepest = std::max(open[known].deepest, holder.count);
        open[known].renewals += event.type == EventType::Renewed ? 1 : 0;
    }
}

void TimelineHistory::end(Lanes::iterator lane, qsizetype open, WallTime at, Seen seen) {
    LaneHistory& history = lane->second.edit();
    Hold hold = history.open.takeAt(open);
    QList<Hold>& ended = history.ended;
    hold.to = std::max(at, hold.from);
    hold.end = seen;
    // A gap is reported when it is over: its beginning may lie before the last end.
    const auto place = std::upper_bound(ended.begin(), ended.end(), hold.to,
                                        [](WallTime to, const Hold& other) { return to < other.to; });
    ended.insert(place, hold);
    remember(lane, Kind::Hold, hold.to);
}

void TimelineHistory::endAll(Lanes::iterator lane, WallTime at) {
    while (lane->second.isOpen())
        end(lane, lane->second.edit().open.size() - 1, at, Seen::No);
}

void TimelineHistory::interrupt(WallTime lastSeen) {
    if (m_unwatchedSince)
        return;
    m_unwatchedSince = lastSeen;
    for (auto lane = m_lanes.begin(); lane != m_lanes.end(); ++lane) {
        if (!lane->second.isOpen())
            continue;
        // The lock may still be held or not: nobody knows until it is seen again, which may be never.
        LaneHistory& history = lane->second.edit();
        history.unwatchedSince = history.unwatchedSince.value_or(lastSeen);
        endAll(lane, lastSeen);
    }
    trim();
}

void TimelineHistory::resume(WallTime at) {
    m_knownSince = m_knownSince.value_or(at);
    if (m_unwatchedSince && !m_lanes.empty())
        addGap({*m_unwatchedSince, at});
    m_unwatchedSince.reset();
}

void TimelineHistory::interrupt(const LockName& name, WallTime lastSeen) {
    const auto lane = m_lanes.find(name);
    if (lane == m_lanes.end() || lane->second.edit().unwatchedSince)
        return;
    lane->second.edit().unwatchedSince = lastSeen;
    endAll(lane, lastSeen);
    trim();
}

void TimelineHistory::addGap(Gap gap) {
    m_gaps.push_back(gap);
    if (m_gaps.size() > mostGaps)
        m_gaps.pop_front();
}

void TimelineHistory::forget(const std::vector<LockName>& names) {
    for (const LockName& name : names) {
        const auto lane = m_lanes.find(name);
        if (const auto last = lane == m_lanes.end() ? std::nullopt : lane->second.last())
            endAll(lane, *last);
    }
    trim();
}

void TimelineHistory::clear() {
    m_order.clear();
    m_lanes.clear();
    m_longNames = 0;
    m_gaps.clear();
    m_unwatchedSince.reset();
    m_knownSince.reset();
}

std::optional<WallTime> TimelineHistory::knownSince() const {
    return m_knownSince;
}

std::optional<LaneHistory> TimelineHistory::lane(const LockName& name) const {
    const auto found = m_lanes.find(name);
    return found == m_lanes.end() ? std::nullopt : std::optional(found->second.history());
}

std::vector<Gap> TimelineHistory::gaps(WallTime now) const {
    std::vector<Gap> gaps(m_gaps.begin(), m_gaps.end());
    if (m_unwatchedSince && now > *m_unwatchedSince)
        gaps.push_back({*m_unwatchedSince, now});
    return gaps;
}

std::optional<WallTime> TimelineHistory::oldest() const {
    std::optional<WallTime> oldest;
    for (const auto& [name, lane] : m_lanes) {
        if (const std::optional<WallTime> first = lane.first())
            oldest = std::min(oldest.value_or(*first), *first);
    }
    return oldest;
}

QHash<const LockName*, qsizetype> TimelineHistory::momentsBetween(WallTime from, WallTime to) const {
    const auto first = std::lower_bound(m_order.begin(), m_order.end(), from,
                                        [](const Entry& entry, WallTime time) { return entry.latest < time; });
    QHash<const LockName*, qsizetype> moments;
    std::for_each(first, m_order.end(), [&](const Entry& entry) {
        if (entry.kind == Kind::Moment && entry.at >= from && entry.at < to)
            ++moments[&entry.lane->first];
    });
    return moments;
}

void TimelineHistory::remember(Lanes::iterator lane, Kind kind, WallTime at) {
    const WallTime latest = m_order.empty() ? at : std::max(at, m_order.back().latest);
    m_order.push_back({lane, at, latest, kind});
}

void TimelineHistory::trim() {
    while (!m_order.empty() && m_order.size() + m_longNames > m_capacity)
        dropOldest();
}

void TimelineHistory::dropOldest() {
    const Entry entry = m_order.front();
    m_order.pop_front();
    if (m_knownSince)
        m_knownSince = std::max(*m_knownSince, entry.latest);
    LaneHistory& lane = entry.lane->second.edit();
    if (entry.kind == Kind::Hold)
        lane.ended.removeFirst();
    else
        lane.moments.removeFirst();
    if (lane.isEmpty()) {
        m_longNames -= extraWeightOf(entry.lane->first);
        m_lanes.erase(entry.lane);
    }
}

}  // namespace lockkeeper::ui
