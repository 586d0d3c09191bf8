// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace lockkeeper::monitor {

// At most `perSecond` takes within any one second, up to `burst` of them at once. Stores only one moment (the generic
// cell rate algorithm, ITU-T I.371), so that every lock can have its own.
class TokenBucket {
public:
    // 0 < burst < perSecond.
    TokenBucket(int perSecond, int burst)
        : m_interval(
              std::chrono::ceil<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / (perSecond - burst)))),
          m_tolerance(m_interval * (burst - 1)) {}

    // The earliest moment of the next take; in the past if one is possible now.
    [[nodiscard]] SteadyTime nextAt() const noexcept { return m_theoretical - m_tolerance; }
    void take(SteadyTime now) noexcept { m_theoretical = std::max(now, m_theoretical) + m_interval; }

private:
    std::chrono::nanoseconds m_interval;
    std::chrono::nanoseconds m_tolerance;
    SteadyTime m_theoretical{};
};

}  // namespace lockkeeper::monitor
