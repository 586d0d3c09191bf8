// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <map>
#include <vector>

namespace lockkeeper::lab {

// The clock of one actor. While it is frozen, time passes but no timer runs, as in a stopped process; the due timers
// run after resume(), in their order. Its wall clock may be ahead. Thread: that of its source, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ActorClock final : public Clock {
public:
    explicit ActorClock(Clock& source) : m_source(source) {}
    ~ActorClock() override;

    [[nodiscard]] SteadyTime now() const override { return m_source.now(); }
    [[nodiscard]] WallTime wallNow() const override { return m_source.wallNow() + m_ahead; }
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override;
    void cancel(TimerId timer) override;

    void freeze() { m_isFrozen = true; }
    void resume();
    void jump(Milliseconds by) { m_ahead += by; }
    // How far the wall clock is ahead of the source's; negative: behind it.
    [[nodiscard]] Milliseconds ahead() const noexcept { return m_ahead; }

private:
    struct Timer {
        std::function<void()> handler;
        TimerId atSource = TimerId::None;
    };

    void arm(TimerId timer, SteadyTime when);
    void run(TimerId timer);

    Clock& m_source;
    std::map<TimerId, Timer> m_timers;
    std::vector<TimerId> m_due;  // timers that became due while frozen; some may have been cancelled
    quint64 m_last = 0;
    Milliseconds m_ahead{0};
    bool m_isFrozen = false;
};

}  // namespace lockkeeper::lab
