// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/holdtimes.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::monitor {

void HoldTimes::add(Milliseconds hold) {
    m_holds[static_cast<size_t>(m_next)] = hold;
    m_next = (m_next + 1) % capacity;
    m_count = std::min(m_count + 1, capacity);
}

Milliseconds HoldTimes::median() const {
    std::vector<Milliseconds> holds(m_holds.begin(), m_holds.begin() + m_count);
    if (holds.empty())
        return Milliseconds(0);
    const auto middle = holds.begin() + m_count / 2;
    std::ranges::nth_element(holds, middle);
    return *middle;
}

Milliseconds HoldTimes::longest() const {
    return *std::max_element(m_holds.begin(), m_holds.end());
}

}  // namespace lockkeeper::monitor
