// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace lockkeeper::monitor {

// At most `perSecond` takes within any one second, up to `burst` of them at once.
struct TakeRate {
    // Requires 0 < burst < perSecond.
    constexpr TakeRate(int perSecond, int burst)
        : interval(
              std::chrono::ceil<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / (perSecond - burst)))),
          tolerance(interval * (burst - 1)) {}

    std::chrono::nanoseconds interval;
    std::chrono::nanoseconds tolerance;
};

// Limits takes to a rate; change() must report a change of the rate. Stores only one time (the generic cell rate
// algorithm, ITU-T I.371), so that every lock can have its own bucket.
class TokenBucket {
public:
    // The earliest time of the next take; in the past if a take is possible now.
    [[nodiscard]] SteadyTime nextAt(const TakeRate& rate) const noexcept { return m_theoretical - rate.tolerance; }
    void take(SteadyTime now, const TakeRate& rate) noexcept {
        m_theoretical = std::max(now, m_theoretical) + rate.interval;
    }
    // Changes the rate for the next takes; as much of a burst is left as before.
    void change(SteadyTime now, const TakeRate& before, const TakeRate& after) noexcept {
        const double scale = static_cast<double>(after.interval.count()) / static_cast<double>(before.interval.count());
        const auto ahead = std::max(m_theoretical - now, SteadyTime::duration::zero());
        m_theoretical = now + std::chrono::duration_cast<SteadyTime::duration>(ahead * scale);
    }

private:
    SteadyTime m_theoretical{};
};

}  // namespace lockkeeper::monitor
