// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <map>
#include <optional>

namespace lockkeeper::soak {

// The time from a change to the line of its event, second by second.
class LagCourse {
public:
    // A second is normal if at least 95 % of its lags are at most this.
    explicit LagCourse(Milliseconds normal) : m_normal(normal) {}

    void add(WallTime arrived, Milliseconds lag);
    // From when on all seconds up to `end` are normal; a second without any event is not normal. Nothing: the last
    // one is not.
    [[nodiscard]] std::optional<WallTime> normalAgain(WallTime begin, WallTime end) const;
    // The percentile of all lags; `share` is 0.5 for the median.
    [[nodiscard]] Milliseconds percentile(double share) const;

private:
    struct Second {
        int lags = 0;
        int late = 0;
        [[nodiscard]] bool isNormal() const { return lags > 0 && late * 20 <= lags; }
    };

    const Milliseconds m_normal;
    std::map<qint64, Second> m_seconds;  // by seconds of the clock
    std::map<qint64, qint64> m_counts;   // by milliseconds
    qint64 m_all = 0;
};

}  // namespace lockkeeper::soak
