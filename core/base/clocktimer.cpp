// SPDX-License-Identifier: Apache-2.0
#include "base/clocktimer.h"

#include <utility>

namespace lockkeeper {

ClockTimer::ClockTimer(Clock& clock, std::function<void()> handler) : m_clock(clock), m_handler(std::move(handler)) {}

void ClockTimer::start(SteadyTime when) {
    stop();
    m_when = when;
    m_id = m_clock.schedule(when, [this] { run(); });
}

void ClockTimer::startBy(SteadyTime when) {
    if (!isRunning() || when < m_when)
        start(when);
}

void ClockTimer::stop() {
    if (isRunning())
        m_clock.cancel(std::exchange(m_id, Clock::TimerId::None));
}

void ClockTimer::run() {
    m_id = Clock::TimerId::None;
    const std::function<void()> handler = m_handler;  // which may end this timer
    handler();
}

}  // namespace lockkeeper
