// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/lane.h"

#include <QHash>

#include <deque>
#include <map>
#include <vector>

namespace lockkeeper::ui {

struct Gap {
    WallTime from{};
    WallTime to{};
};

// The past of all locks as a timeline draws it, made from the same events as the log. The number of moments and ended
// holds is bounded; the oldest are dropped. (Open holds are as many as the locks that the monitor knows to be held.)
// A hold never spans what was not watched. Thread: the GUI's.
class TimelineHistory {
public:
    static constexpr size_t defaultCapacity = 200'000;
    using Lanes = std::map<LockName, Lane>;

    explicit TimelineHistory(size_t capacity = defaultCapacity) : m_capacity(capacity) {}

    // Oldest first. A NotWatched without a lock is about all of them.
    void append(const std::vector<monitor::LockEvent>& events);
    // What an operator did, reported later by the audit: a moment of a lane that is there, in a time that is known. Its
    // holds say nothing of it.
    void addChange(const monitor::LockEvent& event);
    // This hand-over, if it is kept, is no suspect any more.
    void explain(const monitor::LockEvent& handOver);
    // Nothing is watched after `lastSeen`, until resume(): open holds end there, unseen.
    void interrupt(WallTime lastSeen);
    void resume(WallTime at);
    // Ends what is known of one lock at `lastSeen`, until its next event.
    void interrupt(const LockName& name, WallTime lastSeen);
    // The monitor does not watch these locks any more: how a hold that is still open ends will not be reported.
    void forget(const std::vector<LockName>& names);
    void clear();

    [[nodiscard]] const Lanes& lanes() const noexcept { return m_lanes; }
    [[nodiscard]] bool knows(const LockName& name) const { return m_lanes.contains(name); }
    // Nothing when nothing is known of it. A copy, which shares its lists.
    [[nodiscard]] std::optional<LaneHistory> lane(const LockName& name) const;
    // When nothing at all was watched; the last one's end moves on while it lasts.
    [[nodiscard]] std::vector<Gap> gaps(WallTime now) const;
    [[nodiscard]] std::optional<WallTime> oldest() const;
    // Nothing is known of the time before: it was not watched, or is not kept. Nothing while nothing is known at all.
    [[nodiscard]] std::optional<WallTime> knownSince() const;
    // How many moments each lane has between the two times, without its first if the lock was only found then; lanes
    // without any are left out. The cost depends on the number of moments, not on the number of lanes. The names are
    // those of lanes().
    [[nodiscard]] QHash<const LockName*, qsizetype> momentsBetween(WallTime from, WallTime to) const;
    [[nodiscard]] size_t size() const noexcept { return m_order.size(); }

private:
    // Found: a moment, too, the first one of most lanes.
    enum class Kind { Found, Moment, Hold };
    // Which list's first entry is the next to go.
    struct Entry {
        Lanes::iterator lane;
        WallTime at;      // of the moment
        WallTime latest;  // of all moments so far: never goes back, even if the clock is set back
        Kind kind;
    };

    void append(const monitor::LockEvent& event);
    void addMoment(Lanes::iterator lane, const monitor::LockEvent& event, WallTime at);
    void follow(Lanes::iterator lane, const monitor::LockEvent& event, WallTime at);
    void end(Lanes::iterator lane, qsizetype open, WallTime at, Seen seen);
    void endAll(Lanes::iterator lane, WallTime at);
    void addGap(Gap gap);
    void remember(Lanes::iterator lane, Kind kind, WallTime at);
    void trim();
    void dropOldest();

    size_t m_capacity;
    size_t m_longNames = 0;  // how much long names of lanes count, see monitor::weightOf()
    Lanes m_lanes;           // its iterators stay valid
    std::deque<Entry> m_order;
    std::deque<Gap> m_gaps;
    std::optional<WallTime> m_unwatchedSince;
    std::optional<WallTime> m_knownSince;
};

}  // namespace lockkeeper::ui
