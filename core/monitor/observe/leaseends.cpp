// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/leaseends.h"

namespace lockkeeper::monitor {

LeaseEnds::LeaseEnds(Clock& clock, std::function<void(Lock& lock)> ended) : m_clock(clock), m_ended(std::move(ended)) {}

void LeaseEnds::set(Lock& lock, SteadyTime end) {
    if (lock.second.leaseEnd == 0) {
        m_heap.emplace_back();
        lock.second.leaseEnd = static_cast<quint32>(m_heap.size());
    }
    put(lock.second.leaseEnd - 1, {end, &lock});
    m_timer.startBy(m_heap.front().end);
}

// Does not change the timer: one useless run costs less than setting the timer for each change of a lease.
void LeaseEnds::remove(WatchedLock& lock) {
    if (lock.leaseEnd == 0)
        return;
    const size_t place = std::exchange(lock.leaseEnd, 0) - 1;
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (place < m_heap.size())
        put(place, last);
    if (m_heap.empty())
        m_timer.stop();
}

void LeaseEnds::run() {
    const SteadyTime now = m_clock.now();
    while (!m_heap.empty() && m_heap.front().end <= now) {
        Lock& due = *m_heap.front().lock;
        remove(due.second);
        m_ended(due);
    }
    if (!m_heap.empty())
        m_timer.startBy(m_heap.front().end);
}

void LeaseEnds::put(size_t place, const Entry& entry) {
    for (size_t parent = (place - 1) / 2; place > 0 && entry.end < m_heap[parent].end; parent = (place - 1) / 2) {
        keep(place, m_heap[parent]);
        place = parent;
    }
    for (size_t child = 2 * place + 1; child < m_heap.size(); child = 2 * place + 1) {
        if (child + 1 < m_heap.size() && m_heap[child + 1].end < m_heap[child].end)
            ++child;
        if (entry.end <= m_heap[child].end)
            break;
        keep(place, m_heap[child]);
        place = child;
    }
    keep(place, entry);
}

void LeaseEnds::keep(size_t place, const Entry& entry) {
    m_heap[place] = entry;
    entry.lock->second.leaseEnd = static_cast<quint32>(place) + 1;
}

}  // namespace lockkeeper::monitor
