// SPDX-License-Identifier: Apache-2.0
#include "ui/time/viewtime.h"

#include <algorithm>

namespace lockkeeper::ui {

void ViewTime::follow(const ConnectionStatus& status) {
    const bool live = status.phase == ConnectionPhase::Connected;
    const bool knowsBetter = status.lastHeard != WallTime{};
    if (!live && (m_live || knowsBetter)) {
        const WallTime wallNow = m_clock.wallNow();
        m_lastHeard = knowsBetter ? std::min(status.lastHeard, wallNow) : wallNow;
        m_lastHeardSteady = m_clock.now() - std::chrono::duration_cast<SteadyTime::duration>(wallNow - m_lastHeard);
    }
    m_live = live;
}

}  // namespace lockkeeper::ui
