// SPDX-License-Identifier: Apache-2.0
#include "ui/overview/handovercounts.h"

#include <algorithm>

namespace lockkeeper::ui {

qint64 HandOverCounts::halfOf(SteadyTime time) {
    return time.time_since_epoch() / half;
}

void HandOverCounts::turn(SteadyTime now) {
    const qint64 present = halfOf(now);
    if (present == m_half)
        return;
    m_before = present == m_half + 1 ? std::move(m_now) : QHash<LockName, double>();
    m_now.clear();
    m_half = present;
}

void HandOverCounts::add(SteadyTime now, const LockName& lock, double handOvers) {
    turn(now);
    if (m_now.size() < mostLocks || m_now.contains(lock))
        m_now[lock] += handOvers;
}

void HandOverCounts::clear() {
    m_before.clear();
    m_now.clear();
}

std::vector<HandOverCounts::Counted> HandOverCounts::top(SteadyTime now, size_t count) const {
    HandOverCounts current = *this;
    current.turn(now);
    for (auto one = current.m_before.cbegin(); one != current.m_before.cend(); ++one)
        current.m_now[one.key()] += one.value();
    std::vector<Counted> all;
    for (auto one = current.m_now.cbegin(); one != current.m_now.cend(); ++one) {
        if (one.value() >= 1)
            all.push_back({one.key(), one.value()});
    }
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [](const Counted& a, const Counted& b) {
        return a.handOvers != b.handOvers ? a.handOvers > b.handOvers : a.lock < b.lock;
    });
    all.erase(end, all.end());
    return all;
}

}  // namespace lockkeeper::ui
