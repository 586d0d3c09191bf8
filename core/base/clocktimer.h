// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <optional>

namespace lockkeeper {

// A timer of a clock, with one handler. The handler runs once for each start, and not after the timer is destroyed. The
// handler may start the timer again, or destroy it. The clock must outlive the timer. Thread: the clock's.
class LOCKKEEPER_EXPORT ClockTimer {
public:
    ClockTimer(Clock& clock, std::function<void()> handler);
    ClockTimer(const ClockTimer&) = delete;
    ClockTimer& operator=(const ClockTimer&) = delete;
    ~ClockTimer() { stop(); }

    // Replaces an earlier start.
    void start(SteadyTime when);
    void start(Milliseconds fromNow) { start(m_clock.now() + fromNow); }
    // As start(), but keeps the time of an earlier start if that is sooner.
    void startBy(SteadyTime when);
    void stop();
    // When the handler will run; nothing if the timer is not running.
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
