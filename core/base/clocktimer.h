// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <optional>

namespace lockkeeper {

// A timer of a clock, with one handler. It runs once for each start, and stops with its owner; the handler may start it
// again, or end the owner. The clock must outlive it. Thread: the clock's.
class LOCKKEEPER_EXPORT ClockTimer {
public:
    ClockTimer(Clock& clock, std::function<void()> handler);
    ClockTimer(const ClockTimer&) = delete;
    ClockTimer& operator=(const ClockTimer&) = delete;
    ~ClockTimer() { stop(); }

    // Takes the place of an earlier start.
    void start(SteadyTime when);
    void start(Milliseconds fromNow) { start(m_clock.now() + fromNow); }
    // As start(), but not later than the time of an earlier start.
    void startBy(SteadyTime when);
    void stop();
    // When it will run; nothing if it does not run.
    [[nodiscard]] std::optional<SteadyTime> due() const { return isRunning() ? std::optional(m_when) : std::nullopt; }
    [[nodiscard]] bool isRunning() const noexcept { return m_id != Clock::TimerId::None; }

private:
    void run();

    Clock& m_clock;
    const std::function<void()> m_handler;
    Clock::TimerId m_id = Clock::TimerId::None;
    SteadyTime m_when{};
};

}  // namespace lockkeeper
