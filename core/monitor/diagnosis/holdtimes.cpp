#include "monitor/diagnosis/holdtimes.h"

#include <algorithm>

namespace lockkeeper::monitor {

void HoldTimes::add(Milliseconds hold) {
    m_holds[static_cast<size_t>(m_next)] = hold;
    m_next = (m_next + 1) % capacity;
    m_count = std::min(m_count + 1, capacity);
}

Milliseconds HoldTimes::median() const {
    std::array<Milliseconds, capacity> sorted = m_holds;
    const auto end = sorted.begin() + m_count;
    std::sort(sorted.begin(), end);
    return sorted[static_cast<size_t>(m_count / 2)];
}

Milliseconds HoldTimes::longest() const {
    return *std::max_element(m_holds.begin(), m_holds.end());
}

}  // namespace lockkeeper::monitor
