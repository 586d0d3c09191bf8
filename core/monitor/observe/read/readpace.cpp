// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/readpace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// The whole growth takes about a second.
constexpr int stepsToMost = 16;
// What a round trip may take beyond the shortest one: a quarter of it, and the delay of a busy machine.
constexpr int allowedFraction = 4;
constexpr std::chrono::nanoseconds allowedMore = 1ms;

}  // namespace

void ReadPace::addRoundTrip(std::chrono::nanoseconds roundTrip) {
    m_shortest = std::min(m_shortest.value_or(roundTrip), roundTrip);
    m_last[m_measured++ % m_last.size()] = roundTrip;
    if (m_measured < m_last.size())
        return;
    const int step = std::max((m_limits.mostPerSecond - m_limits.perSecond) / stepsToMost, 1);
    m_perSecond = isSlow(*std::ranges::min_element(m_last)) ? m_limits.perSecond
                                                            : std::min(m_perSecond + step, m_limits.mostPerSecond);
}

bool ReadPace::isSlow(std::chrono::nanoseconds roundTrip) const {
    return m_shortest && roundTrip > *m_shortest + *m_shortest / allowedFraction + allowedMore;
}

void ReadPace::rest() {
    m_perSecond = m_limits.perSecond;
    m_measured = 0;
}

void ReadPace::startOver() {
    rest();
    m_shortest.reset();
}

}  // namespace lockkeeper::monitor
