// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/writepace.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::monitor {

void WritePace::startOver() {
    m_pause = m_limits.firstPause;
    m_since.reset();
}

void WritePace::began(SteadyTime now) {
    m_since = now;
    m_lastAdded = now;
    m_keys = m_bytes = Level();
}

bool WritePace::add(qint64 keys, qint64 bytes, SteadyTime now) {
    const double seconds = std::chrono::duration<double>(now - std::exchange(m_lastAdded, now)).count();
    m_keys.wear(seconds * static_cast<double>(m_limits.keysPerSecond));
    m_bytes.wear(seconds * static_cast<double>(m_limits.bytesPerSecond));
    m_keys.value += static_cast<double>(keys);
    m_bytes.value += static_cast<double>(bytes);
    return m_keys.value <= static_cast<double>(m_limits.keysPerSecond) &&
           m_bytes.value <= static_cast<double>(m_limits.bytesPerSecond);
}

Milliseconds WritePace::ended(SteadyTime now) {
    const std::optional<SteadyTime> since = std::exchange(m_since, std::nullopt);
    if (since && now - *since > m_limits.lastPause)
        m_pause = m_limits.firstPause;
    return std::exchange(m_pause, std::min(2 * m_pause, m_limits.lastPause));
}

}  // namespace lockkeeper::monitor
