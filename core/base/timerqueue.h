#pragma once

#include "base/clock.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace lockkeeper {

// The ordered list of pending timers that every Clock keeps; it knows no time of its own.
class LOCKKEEPER_EXPORT TimerQueue {
public:
    Clock::TimerId add(SteadyTime when, std::function<void()> handler);
    void remove(Clock::TimerId timer);
    [[nodiscard]] std::optional<SteadyTime> earliest() const;
    // Takes the earliest handler that is due at `now`; empty when none is. Handlers may add and remove timers.
    [[nodiscard]] std::function<void()> takeDue(SteadyTime now);

private:
    using Key = std::pair<SteadyTime, quint64>;
    std::map<Key, std::function<void()>> m_timers;
    std::unordered_map<quint64, SteadyTime> m_times;
    quint64 m_lastId = 0;
};

}  // namespace lockkeeper
