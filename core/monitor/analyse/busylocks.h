// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/throughputmeter.h"
#include "monitor/model/nameschedule.h"

namespace lockkeeper::monitor {

// One throughput meter for each lock that is busy now; a lock that is rarely taken costs nothing here. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT BusyLocks {
public:
    // The most locks that are measured; further busy locks are not measured.
    static constexpr qsizetype most = 5000;

    enum class Reading { Same, New };

    // Adds the time between two reads of one lock. lastEnd: when an earlier hold ended, if known. Returns New, at most
    // twice a second for each lock, when reading() has changed.
    Reading follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                   const BetweenReads& between, std::optional<SteadyTime> lastEnd);
    // The throughput of the lock; nothing if the lock is not busy.
    [[nodiscard]] std::optional<Throughput> reading(const LockName& name) const;
    void forget(const LockName& name);

    // Removes and returns the locks without any change for a whole window, which are not busy any more. nextIdle():
    // when to call it again, which may be too early for any lock; nothing while no lock is busy.
    [[nodiscard]] QList<LockName> takeIdle(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextIdle() const { return m_idleTimes.earliest(); }

private:
    struct Busy {
        ThroughputMeter meter;
        SteadyTime reportedAt{};

        [[nodiscard]] SteadyTime idleAt() const { return meter.lastActive() + ThroughputMeter::window; }
    };

    QHash<LockName, Busy> m_locks;
    NameSchedule m_idleTimes;  // of each lock, idleAt() or earlier: a change does not move it
};

}  // namespace lockkeeper::monitor
