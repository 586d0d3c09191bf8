// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/overview/handovercounts.h"

namespace lockkeeper::ui {

qint64 HandOverCounts::halfOf(SteadyTime time) {
    return time.time_since_epoch() / half;
}

HandOverCounts::Halves HandOverCounts::asOf(qint64 present, const Halves& halves) const {
    if (present == m_half)
        return halves;
    return {present == m_half + 1 ? halves.now : 0, 0};
}

void HandOverCounts::turn(SteadyTime now) {
    const qint64 present = halfOf(now);
    if (present == m_half)
        return;
    for (Halves& halves : m_locks)
        halves = asOf(present, halves);
    // Not in one pass: a removal may move other locks to places that are visited a second time.
    m_locks.removeIf([](const QHash<LockName, Halves>::iterator& lock) { return lock->before == 0; });
    m_inNow = 0;
    m_half = present;
}

void HandOverCounts::add(SteadyTime now, const LockName& lock, double handOvers) {
    turn(now);
    const bool isNew = m_locks.value(lock).now == 0;
    if (isNew && m_inNow == mostLocks)
        return;
    m_inNow += isNew ? 1 : 0;
    m_locks[lock].now += handOvers;
}

void HandOverCounts::clear() {
    m_locks.clear();
    m_inNow = 0;
}

HandOverCounts::Counts HandOverCounts::top(SteadyTime now, size_t count) const {
    const qint64 present = halfOf(now);
    Counts top(count);
    for (auto lock = m_locks.cbegin(); lock != m_locks.cend(); ++lock) {
        const auto [before, after] = asOf(present, *lock);
        if (before + after >= 1)
            top.put(lock.key(), before + after);
    }
    return top;
}

}  // namespace lockkeeper::ui
