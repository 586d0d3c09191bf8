#include "base/timerqueue.h"

namespace lockkeeper {

Clock::TimerId TimerQueue::add(SteadyTime when, std::function<void()> handler) {
    const quint64 id = ++m_lastId;
    m_timers.emplace(Key{when, id}, std::move(handler));
    m_times.emplace(id, when);
    return Clock::TimerId{id};
}

void TimerQueue::remove(Clock::TimerId timer) {
    const auto found = m_times.find(static_cast<quint64>(timer));
    if (found == m_times.end())
        return;
    m_timers.erase(Key{found->second, found->first});
    m_times.erase(found);
}

std::optional<SteadyTime> TimerQueue::earliest() const {
    if (m_timers.empty())
        return std::nullopt;
    return m_timers.begin()->first.first;
}

std::function<void()> TimerQueue::takeDue(SteadyTime now) {
    if (m_timers.empty() || m_timers.begin()->first.first > now)
        return {};
    const auto first = m_timers.begin();
    std::function<void()> handler = std::move(first->second);
    m_times.erase(first->first.second);
    m_timers.erase(first);
    return handler;
}

}  // namespace lockkeeper
