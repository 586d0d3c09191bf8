// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper {

// The time of a replay: it changes only when it is set, also backwards. Timers still take real time, and at most a
// second, so that no view waits for a time that the replay never reaches.
class LOCKKEEPER_MONITOR_EXPORT ReplayClock final : public Clock {
public:
    // real: must outlive it.
    explicit ReplayClock(Clock& real) : m_real(real), m_now(real.now()), m_wallNow(real.wallNow()) {}

    void set(SteadyTime now, WallTime wallNow) {
        m_now = now;
        m_wallNow = wallNow;
    }

    [[nodiscard]] SteadyTime now() const override { return m_now; }
    [[nodiscard]] WallTime wallNow() const override { return m_wallNow; }
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override;
    void cancel(TimerId timer) override { m_real.cancel(timer); }

private:
    Clock& m_real;
    SteadyTime m_now;
    WallTime m_wallNow;
};

}  // namespace lockkeeper
