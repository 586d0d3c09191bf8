// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/vainreads.h"

#include <algorithm>

namespace lockkeeper::monitor {

bool VainReads::take(SteadyTime now) {
    if (m_left == most)
        m_grewAt = now;
    const auto grown = (now - m_grewAt) / interval;
    m_grewAt += grown * interval;
    add(static_cast<int>(std::min<decltype(grown)>(grown, most)));
    if (m_left == 0)
        return false;
    --m_left;
    return true;
}

void VainReads::add(int reads) {
    m_left = std::min(m_left + reads, most);
}

}  // namespace lockkeeper::monitor
