// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/clientlog.h"

#include "monitor/model/lockevent.h"

#include <algorithm>
#include <deque>

namespace lockkeeper::soak {

// The events of one read of a lock, as `watch --json` prints them.
struct Reading {
    struct Event {
        monitor::EventType type = monitor::EventType::Acquired;
        std::optional<HolderId> holder{};
        bool suspect = false;
        bool isAnnounced = true;  // of a release

        friend bool operator==(const Event&, const Event&) = default;
    };

    LockName lock;
    WallTime at{};
    std::optional<Hold> hold;  // after the read
    std::optional<Milliseconds> ttl;
    std::vector<Event> events;
    Milliseconds gap{0};
    bool isDiagnosis = false;  // the events are diagnoses of what the reading before has shown
    monitor::Rare<monitor::Throughput> throughput;
    WallTime arrived{};  // when the line arrived

    [[nodiscard]] bool has(monitor::EventType type) const {
        return std::ranges::any_of(events, [type](const Event& event) { return event.type == type; });
    }
};

// The first reading at this time or later.
[[nodiscard]] inline std::deque<Reading>::const_iterator readAt(const std::deque<Reading>& readings, WallTime at) {
    return std::ranges::lower_bound(readings, at, {}, &Reading::at);
}

// Collects the lines of a watch into the reads that they are of.
class ReadingLines {
public:
    // Returns the reading before, if this line shows that it is complete.
    std::optional<Reading> add(const monitor::LockEvent& event, WallTime arrived);
    std::optional<Reading> takeLast() { return std::exchange(m_open, {}); }

private:
    std::optional<Reading> m_open;
};

}  // namespace lockkeeper::soak
