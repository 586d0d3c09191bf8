// SPDX-License-Identifier: Apache-2.0
#include "lab/actorclock.h"

namespace lockkeeper::lab {

ActorClock::~ActorClock() {
    for (const auto& [id, timer] : m_timers)
        m_source.cancel(timer.atSource);
}

Clock::TimerId ActorClock::schedule(SteadyTime when, std::function<void()> handler) {
    const TimerId id{++m_last};
    m_timers[id].handler = std::move(handler);
    arm(id, when);
    return id;
}

void ActorClock::cancel(TimerId timer) {
    const auto found = m_timers.find(timer);
    if (found == m_timers.end())
        return;
    m_source.cancel(found->second.atSource);
    m_timers.erase(found);
}

void ActorClock::resume() {
    m_isFrozen = false;
    for (const TimerId timer : std::exchange(m_due, {})) {
        if (m_timers.contains(timer))
            arm(timer, now());
    }
}

void ActorClock::arm(TimerId timer, SteadyTime when) {
    m_timers[timer].atSource = m_source.schedule(when, [this, timer] { run(timer); });
}

void ActorClock::run(TimerId timer) {
    const auto found = m_timers.find(timer);
    found->second.atSource = TimerId::None;
    if (m_isFrozen)
        return m_due.push_back(timer);
    const std::function<void()> handler = std::move(found->second.handler);
    m_timers.erase(found);
    handler();
}

}  // namespace lockkeeper::lab
