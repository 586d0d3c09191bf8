// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/busylocks.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds reportInterval = 500ms;
constexpr Milliseconds busyPause = 3s;  // between two holds; with a longer pause a lock is not busy

bool mayGetBusy(const LockSnapshot& after, const Comparison& comparison, const BetweenReads& between,
                std::optional<SteadyTime> lastEnd) {
    // Messages from before the lock was watched do not belong to any time between two reads.
    if (between.messages > 0 && between.firstMessageAt == SteadyTime())
        return false;
    if (between.messages > 1)
        return true;
    const bool ended = between.messages > 0 || comparison.ended;
    return ended && lastEnd && *lastEnd + busyPause > after.seenAt;
}

}  // namespace

BusyLocks::Reading BusyLocks::follow(const LockSnapshot& before, const LockSnapshot& after,
                                     const Comparison& comparison, const BetweenReads& between,
                                     std::optional<SteadyTime> lastEnd) {
    if (between.gap > 0ms) {
        forget(after.name);
        return Reading::New;
    }
    auto busy = m_locks.find(after.name);
    const bool isNew = busy == m_locks.end();
    if (isNew) {
        if (m_locks.size() >= most || !mayGetBusy(after, comparison, between, lastEnd))
            return Reading::Same;
        busy = m_locks.insert(after.name, Busy());
    }
    busy->meter.add(before, after, comparison, between);
    if (isNew)
        m_idleTimes.set(after.name, busy->idleAt());
    if (busy->reportedAt + reportInterval > after.seenAt)
        return Reading::Same;
    busy->reportedAt = after.seenAt;
    return Reading::New;
}

std::optional<Throughput> BusyLocks::reading(const LockName& name) const {
    const auto busy = m_locks.constFind(name);
    return busy == m_locks.cend() ? std::nullopt : busy->meter.reading();
}

void BusyLocks::forget(const LockName& name) {
    m_locks.remove(name);
    m_idleTimes.set(name, std::nullopt);
}

QList<LockName> BusyLocks::takeIdle(SteadyTime now) {
    QList<LockName> idle;
    for (const LockName& name : m_idleTimes.takeDue(now)) {
        const SteadyTime end = m_locks.constFind(name)->idleAt();
        if (end > now) {
            m_idleTimes.set(name, end);
            continue;
        }
        m_locks.remove(name);
        idle.append(name);
    }
    return idle;
}

}  // namespace lockkeeper::monitor
