// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <map>
#include <optional>

namespace lockkeeper::lab {

// A clock that can be stopped: while it is stopped no time passes and no timer runs; afterwards both continue where
// they were. Thread: that of its source, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT StoppableClock final : public Clock {
public:
    explicit StoppableClock(Clock& source) : m_source(source) {}
    ~StoppableClock() override;

    [[nodiscard]] SteadyTime now() const override { return m_stoppedAt.value_or(m_source.now()) - m_behind; }
    [[nodiscard]] WallTime wallNow() const override;
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override;
    void cancel(TimerId timer) override;

    void stop();
    void resume();
    [[nodiscard]] bool isStopped() const noexcept { return m_stoppedAt.has_value(); }

private:
    struct Timer {
        SteadyTime when{};
        std::function<void()> handler;
        TimerId atSource = TimerId::None;
    };

    void arm(TimerId id, Timer& timer);
    void run(TimerId timer);

    Clock& m_source;
    std::map<TimerId, Timer> m_timers;
    quint64 m_last = 0;
    std::chrono::nanoseconds m_behind{0};
    std::optional<SteadyTime> m_stoppedAt;  // time of the source
};

}  // namespace lockkeeper::lab
