// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/timerqueue.h"

namespace lockkeeper::test {

// A Clock that only advances when a test moves it.
class ManualClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override { return m_now; }
    [[nodiscard]] WallTime wallNow() const override { return m_wall; }
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override {
        return m_queue.add(when, std::move(handler));
    }
    void cancel(TimerId timer) override { m_queue.remove(timer); }

    // Runs every timer that becomes due on the way, each at its own time.
    void advance(std::chrono::nanoseconds time) {
        const SteadyTime target = m_now + time;
        while (const std::optional<SteadyTime> next = m_queue.earliest()) {
            if (*next > target)
                break;
            moveTo(std::max(*next, m_now));
            m_queue.takeDue(m_now)();
        }
        moveTo(std::max(target, m_now));  // a handler may have advanced it further
    }

    // Advances without running the timers, as in a process that was suspended or that reads its sockets first.
    void passUnnoticed(std::chrono::nanoseconds time) { moveTo(m_now + time); }

    // Changes only the wall clock, as NTP or an operator would.
    void jumpWall(Milliseconds by) { m_wall += by; }
    [[nodiscard]] bool hasTimers() const { return m_queue.earliest().has_value(); }
    [[nodiscard]] bool hasTimersWithin(std::chrono::nanoseconds time) const {
        const std::optional<SteadyTime> next = m_queue.earliest();
        return next && *next <= m_now + time;
    }

private:
    void moveTo(SteadyTime time) {
        m_wall += std::chrono::duration_cast<WallTime::duration>(time - m_now);
        m_now = time;
    }

    TimerQueue m_queue;
    SteadyTime m_now = SteadyTime(std::chrono::hours(1));
    WallTime m_wall = WallTime(std::chrono::hours(24 * 365 * 56));
};

}  // namespace lockkeeper::test
