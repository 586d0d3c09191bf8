#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lookagenda.h"
#include "monitor/analyse/throughputmeter.h"

namespace lockkeeper::monitor {

// The meters of the locks that are busy now; a lock that is taken now and then costs nothing here. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT BusyLocks {
public:
    // More busy locks at once than this are not measured.
    static constexpr qsizetype most = 5000;

    enum class Reading { Same, New };

    // The time between two looks at one lock. lastEnd: when a hold of it ended before, as far as is known. New, at most
    // twice a second a lock: ask for the reading.
    Reading follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                   const Between& between, std::optional<SteadyTime> lastEnd);
    // Nothing when it is not busy.
    [[nodiscard]] std::optional<Throughput> reading(const LockName& name) const;
    void forget(const LockName& name);

    // Locks of which nothing was seen for a whole window: not busy any more. nextIdle() is when to ask again; nothing
    // while none is busy.
    [[nodiscard]] QList<LockName> takeIdle(SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextIdle() const { return m_idleTimes.earliest(); }

private:
    struct Busy {
        ThroughputMeter meter;
        SteadyTime toldAt{};
    };

    QHash<LockName, Busy> m_locks;
    LookAgenda m_idleTimes;
};

}  // namespace lockkeeper::monitor
