// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/watchedlocks.h"

namespace lockkeeper::monitor {

WatchedLock& WatchedLocks::add(const LockName& name, WatchedLock watched) {
    WatchedLock& kept = m_locks[name];
    cancelTimers(kept);
    return kept = std::move(watched);
}

std::optional<WatchedLock> WatchedLocks::remove(const LockName& name) {
    WatchedLock* watched = m_locks.find(name);
    if (!watched)
        return std::nullopt;
    cancelTimers(*watched);
    std::optional<WatchedLock> removed = std::move(*watched);
    m_locks.remove(name);
    return removed;
}

void WatchedLocks::clear() {
    interrupt();
    m_locks.clear();
}

void WatchedLocks::interrupt() {
    m_isInterrupted = true;
    m_queue.clear();
    for (auto& [name, watched] : m_locks) {
        cancelTimers(watched);
        watched.request = WatchedLock::Request::None;
    }
}

void WatchedLocks::requestAll() {
    for (const LockName& name : m_locks.names())
        request(name);
}

void WatchedLocks::request(const LockName& name) {
    WatchedLock* watched = m_locks.find(name);
    if (m_isInterrupted || !watched || watched->request == WatchedLock::Request::Queued)
        return;
    const SteadyTime next = watched->limit.nextAt(WatchedLock::readRate);
    if (next <= m_clock.now())
        enqueue(name, *watched);
    else if (watched->request == WatchedLock::Request::None)
        requestAt(name, next);
}

void WatchedLocks::requestAt(const LockName& name, SteadyTime when) {
    WatchedLock& watched = *m_locks.find(name);
    watched.request = WatchedLock::Request::Delayed;
    watched.delay = m_clock.schedule(when, [this, name] {
        WatchedLock* due = m_locks.find(name);
        due->delay = Clock::TimerId::None;
        enqueue(name, *due);
    });
}

void WatchedLocks::requestAtLeaseEnd(const LockName& name) {
    LeaseEnds::Lock& lock = *m_locks.entry(name);
    const SteadyTime end = lock.second.firstEnd();
    if (end == SteadyTime::max())
        m_leaseEnds.remove(lock.second);
    else
        m_leaseEnds.set(lock, end);
}

void WatchedLocks::enqueue(const LockName& name, WatchedLock& watched) {
    cancelTimers(watched);
    watched.request = WatchedLock::Request::Queued;
    m_queue.push(name);
}

void WatchedLocks::cancelTimers(WatchedLock& watched) {
    m_clock.cancel(std::exchange(watched.delay, Clock::TimerId::None));
    m_leaseEnds.remove(watched);
}

}  // namespace lockkeeper::monitor
