// SPDX-License-Identifier: Apache-2.0
#include "lab/run/stoppableclock.h"

namespace lockkeeper::lab {

StoppableClock::~StoppableClock() {
    for (const auto& [id, timer] : m_timers)
        m_source.cancel(timer.atSource);
}

WallTime StoppableClock::wallNow() const {
    const auto sinceStop = m_stoppedAt ? m_source.now() - *m_stoppedAt : std::chrono::nanoseconds(0);
    return m_source.wallNow() - std::chrono::duration_cast<WallTime::duration>(m_behind + sinceStop);
}

Clock::TimerId StoppableClock::schedule(SteadyTime when, std::function<void()> handler) {
    const TimerId id{++m_last};
    Timer& timer = m_timers[id];
    timer.when = when;
    timer.handler = std::move(handler);
    if (!isStopped())
        arm(id, timer);
    return id;
}

void StoppableClock::cancel(TimerId timer) {
    const auto found = m_timers.find(timer);
    if (found == m_timers.end())
        return;
    m_source.cancel(found->second.atSource);
    m_timers.erase(found);
}

void StoppableClock::stop() {
    if (isStopped())
        return;
    m_stoppedAt = m_source.now();
    for (auto& [id, timer] : m_timers)
        m_source.cancel(std::exchange(timer.atSource, TimerId::None));
}

void StoppableClock::resume() {
    if (!isStopped())
        return;
    m_behind += m_source.now() - *m_stoppedAt;
    m_stoppedAt.reset();
    for (auto& [id, timer] : m_timers)
        arm(id, timer);
}

void StoppableClock::arm(TimerId id, Timer& timer) {
    timer.atSource = m_source.schedule(timer.when + m_behind, [this, id] { run(id); });
}

void StoppableClock::run(TimerId timer) {
    const auto found = m_timers.find(timer);
    const std::function<void()> handler = std::move(found->second.handler);
    m_timers.erase(found);
    handler();
}

}  // namespace lockkeeper::lab
