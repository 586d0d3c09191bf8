// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/vainreads.h"

namespace lockkeeper::monitor {

bool VainReads::isAllowed(SteadyTime now) {
    if (m_left == most)
        m_grewAt = now;
    const auto grown = (now - m_grewAt) / interval;
    m_grewAt += grown * interval;
    add(static_cast<int>(std::min<decltype(grown)>(grown, most)));
    return m_left > 0;
}

bool VainReads::take(SteadyTime now) {
    const bool isTaken = isAllowed(now);
    m_left -= isTaken ? 1 : 0;
    return isTaken;
}

void VainReads::add(int reads) {
    m_left = std::min(m_left + reads, most);
}

}  // namespace lockkeeper::monitor
