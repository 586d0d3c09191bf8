// SPDX-License-Identifier: Apache-2.0
#include "soak/lagcourse.h"

namespace lockkeeper::soak {

namespace {

qint64 secondOf(WallTime time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

void LagCourse::add(WallTime arrived, Milliseconds lag) {
    Second& second = m_seconds[secondOf(arrived)];
    ++second.lags;
    second.late += lag > m_normal ? 1 : 0;
    ++m_counts[lag.count()];
    ++m_all;
}

// The first and the last second are not whole. The first one counts, because the lag grows from then on.
std::optional<WallTime> LagCourse::normalAgain(WallTime begin, WallTime end) const {
    const qint64 last = secondOf(end) - 1;
    qint64 normalFrom = secondOf(begin);
    for (qint64 second = normalFrom; second <= last; ++second) {
        const auto found = m_seconds.find(second);
        if (found == m_seconds.end() || !found->second.isNormal())
            normalFrom = second + 1;
    }
    if (normalFrom > last)
        return std::nullopt;
    return std::max(begin, WallTime(std::chrono::seconds(normalFrom)));
}

Milliseconds LagCourse::percentile(double share) const {
    qint64 left = static_cast<qint64>(share * static_cast<double>(m_all));
    for (const auto& [lag, count] : m_counts) {
        left -= count;
        if (left < 0)
            return Milliseconds(lag);
    }
    return m_counts.empty() ? Milliseconds(0) : Milliseconds(m_counts.rbegin()->first);
}

}  // namespace lockkeeper::soak
