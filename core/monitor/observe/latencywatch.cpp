// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/latencywatch.h"

#include <QPointer>

#include <algorithm>

namespace lockkeeper::monitor {

LatencyWatch::LatencyWatch(redis::Connection& connection, ReadBudget& budget, ReadLimits limits,
                           std::function<bool()> mayGrow, std::function<std::chrono::nanoseconds()> threadTime)
    : m_connection(connection),
      m_budget(budget),
      m_pace(limits),
      m_timer(connection.clock(), [this] { measure(); }),
      m_mayGrow(std::move(mayGrow)),
      m_threadTime(std::move(threadTime)) {
    if (!m_pace.mayGrow())
        return;
    m_budget.whenShort([this] {
        m_wasShort = true;
        if (!m_timer.isRunning())
            m_timer.start(interval);
    });
    connect(&m_connection, &redis::Connection::stateChanged, this, [this] {
        m_pace.startOver();
        setPace();
    });
}

void LatencyWatch::measure() {
    // Many readers ask for some turns, use them, look for more names, and ask for the next ones.
    constexpr int shortRest = 4;
    const bool wasShort = std::exchange(m_wasShort, false);
    const bool isBusy = (wasShort || needsMore()) && m_mayGrow();
    m_rested = isBusy ? 0 : m_rested + 1;
    if (m_rested > shortRest) {
        m_pace.rest();
        return setPace();
    }
    m_timer.start(interval);
    if (!isBusy)
        return;
    if (!m_asked && m_connection.state() == redis::Connection::State::Ready)
        return ask();
    if (m_asked && m_pace.isSlow(awaited())) {
        m_pace.rest();
        setPace();
    }
}

// With the higher limit no read waits, but many would with the lower one.
bool LatencyWatch::needsMore() const {
    return m_budget.isShort() || m_budget.usedPerSecond() >= m_pace.always();
}

void LatencyWatch::ask() {
    m_asked = {m_connection.clock().now(), m_threadTime()};
    m_connection.send(redis::Command("PING")).then([this, alive = QPointer(this)](const auto& pong) {
        if (!alive)
            return;
        const std::chrono::nanoseconds roundTrip = awaited();
        m_asked.reset();
        if (!pong)
            return;
        m_pace.addRoundTrip(roundTrip);
        setPace();
    });
}

// While this thread was busy itself, the answer may already have been there.
std::chrono::nanoseconds LatencyWatch::awaited() const {
    const std::chrono::nanoseconds passed = m_connection.clock().now() - m_asked->at;
    const std::chrono::nanoseconds busy = m_threadTime() - m_asked->threadTime;
    return std::max(passed - busy, std::chrono::nanoseconds::zero());
}

void LatencyWatch::setPace() {
    m_budget.setPerSecond(m_pace.perSecond());
}

}  // namespace lockkeeper::monitor
