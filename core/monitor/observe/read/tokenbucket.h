// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace lockkeeper::monitor {

// At most `perSecond` takes within any one second, up to `burst` of them at once.
struct TakeRate {
    // 0 < burst < perSecond.
    constexpr TakeRate(int perSecond, int burst)
        : interval(
              std::chrono::ceil<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / (perSecond - burst)))),
          tolerance(interval * (burst - 1)) {}

    std::chrono::nanoseconds interval;
    std::chrono::nanoseconds tolerance;
};

// Limits takes to a rate; a change of it is to be reported by change(). Stores only one moment (the generic cell rate algorithm, ITU-T
// I.371), so that every lock can have its own.
class TokenBucket {
public:
    // The earliest moment of the next take; in the past if one is possible now.
    [[nodiscard]] SteadyTime nextAt(const TakeRate& rate) const noexcept { return m_theoretical - rate.tolerance; }
    void take(SteadyTime now, const TakeRate& rate) noexcept {
        m_theoretical = std::max(now, m_theoretical) + rate.interval;
    }
    // The next takes are at another rate; as much of a burst is left as before.
    void change(SteadyTime now, const TakeRate& before, const TakeRate& after) noexcept {
        const double scale = static_cast<double>(after.interval.count()) / static_cast<double>(before.interval.count());
        const auto ahead = std::max(m_theoretical - now, SteadyTime::duration::zero());
        m_theoretical = now + std::chrono::duration_cast<SteadyTime::duration>(ahead * scale);
    }

private:
    SteadyTime m_theoretical{};
};

}  // namespace lockkeeper::monitor
