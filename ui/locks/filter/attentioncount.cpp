// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/attentioncount.h"

#include "ui/words/timetext.h"

#include <algorithm>

namespace lockkeeper::ui {

using namespace std::chrono_literals;

void AttentionCount::step(size_t count) {
    m_walk.step(count, [this](const LockWalk::Met& met) { this->count(met); });
}

void AttentionCount::count(const LockWalk::Met& met) {
    const bool mayBeFaulty = !met.lock.diagnoses.isEmpty();  // nearly all are not
    for (size_t i = 0; i < m_wanted.size(); ++i) {
        if (mayBeFaulty || !m_wanted[i].isOfFaults)
            m_found[i] += m_wanted[i].filter.isFulfilled(m_locks, met.row) ? 1 : 0;
    }
    if (!met.lock.lock.isHeld() || !m_locks.isLive(met.row))
        return;
    const Milliseconds left = toMilliseconds(met.lock.hold.since + longHeld - m_locks.momentOf(met.row));
    if (left >= 0ms)
        m_untilNextLongHeld = std::min(m_untilNextLongHeld.value_or(left), left);
}

}  // namespace lockkeeper::ui
