// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/readschedule.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// All locks together are then read 500 times a second at most because of evictions.
constexpr Milliseconds restPerLock = 2ms;
constexpr Milliseconds leastLongestRest = 10s;
constexpr Milliseconds noticeableRest = 1s;
constexpr Milliseconds delaysRemembered = 1min;

}  // namespace

ReadSchedule::Lock& ReadSchedule::add(const LockName& name, WatchedLock watched) {
    Lock& kept = m_locks.made(name);
    cancelTimers(kept.second);
    kept.second = std::move(watched);
    return kept;
}

std::optional<WatchedLock> ReadSchedule::remove(const LockName& name) {
    WatchedLock* watched = m_locks.find(name);
    if (!watched)
        return std::nullopt;
    cancelTimers(*watched);
    std::optional<WatchedLock> removed = std::move(*watched);
    m_locks.remove(name);
    return removed;
}

void ReadSchedule::clear() {
    interrupt();
    m_locks.clear();
}

void ReadSchedule::interrupt() {
    m_isInterrupted = true;
    m_delayedAt.reset();
    m_vain = {};
    m_queue.clear();
    for (auto& [name, watched] : m_locks) {
        cancelTimers(watched);
        watched.request = WatchedLock::Request::None;
        watched.evictions = 0;  // the next connection may lead to another server
        watched.report = WatchedLock::Report::None;
    }
}

void ReadSchedule::requestAll() {
    for (const LockName& name : m_locks.names()) {
        if (Lock* lock = m_locks.entry(name))
            request(*lock);
    }
}

void ReadSchedule::request(Lock& lock) {
    const WatchedLock& watched = lock.second;
    if (m_isInterrupted || watched.request == WatchedLock::Request::Queued)
        return;
    const SteadyTime next = watched.limit.nextAt(WatchedLock::readRate);
    if (next <= m_clock.now())
        enqueue(lock);
    else if (watched.request != WatchedLock::Request::Delayed)
        requestAt(lock, next);
}

void ReadSchedule::requestAfterReport(Lock& lock) {
    WatchedLock& watched = lock.second;
    if (m_isInterrupted || watched.request == WatchedLock::Request::Waiting)
        return;
    if (watched.request != WatchedLock::Request::None)
        return request(lock);
    const SteadyTime now = m_clock.now();
    const SteadyTime::duration restOfMany = size() * restPerLock;
    SteadyTime::duration rest =
        watched.restAfterEvictions(std::max<SteadyTime::duration>(leastLongestRest, restOfMany));
    watched.report = m_vain.isAllowed(now) ? WatchedLock::Report::Allowed : WatchedLock::Report::PutOff;
    if (watched.report == WatchedLock::Report::PutOff)
        rest = std::max(rest, restOfMany);
    const SteadyTime next = watched.lastSentAt + rest;
    if (next <= now)
        return request(lock);
    if (rest >= noticeableRest)
        m_delayedAt = now;
    requestAt(lock, next, WatchedLock::Request::Waiting);
}

void ReadSchedule::noteReading(Lock& lock, const LockSnapshot& found, int messagesReceived) {
    const WatchedLock::Shown shown = lock.second.countEvictions(found, messagesReceived);
    const WatchedLock::Report report = std::exchange(lock.second.report, WatchedLock::Report::None);
    if (report != WatchedLock::Report::None && shown == WatchedLock::Shown::Change)
        m_vain.noteLock();
    else if (report == WatchedLock::Report::Allowed && shown == WatchedLock::Shown::Eviction)
        m_vain.noteVain();
}

bool ReadSchedule::areReportsDelayed() const {
    return m_delayedAt && m_clock.now() - *m_delayedAt < delaysRemembered;
}

// After a lock has come back to this node, the answer to a read from before may come during the pause for the next one.
void ReadSchedule::requestAt(Lock& lock, SteadyTime when) {
    requestAt(lock, when, WatchedLock::Request::Delayed);
}

void ReadSchedule::requestAt(Lock& lock, SteadyTime when, WatchedLock::Request request) {
    m_clock.cancel(lock.second.delay);
    lock.second.request = request;
    lock.second.delay = m_clock.schedule(when, [this, &lock] {  // cancelled when the lock is removed
        lock.second.delay = Clock::TimerId::None;
        enqueue(lock);
    });
}

void ReadSchedule::requestAtLeaseEnd(Lock& lock) {
    const SteadyTime end = lock.second.firstEnd();
    if (end == SteadyTime::max())
        m_leaseEnds.remove(lock.second);
    else
        m_leaseEnds.set(lock, end);
}

void ReadSchedule::enqueue(Lock& lock) {
    cancelTimers(lock.second);
    lock.second.request = WatchedLock::Request::Queued;
    m_queue.push(lock.first);
}

void ReadSchedule::cancelTimers(WatchedLock& watched) {
    m_clock.cancel(std::exchange(watched.delay, Clock::TimerId::None));
    m_leaseEnds.remove(watched);
}

}  // namespace lockkeeper::monitor
