// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/namemap.h"
#include "monitor/observe/watchedlock.h"

#include <vector>

namespace lockkeeper::monitor {

// When the leases of watched locks end, the earliest first. It is a heap in which each lock knows its place, with one
// timer of the clock. (A timer for each of 100,000 locks would take 7 MB.) Locks whose leases end at the same time come
// in no defined order. Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT LeaseEnds {
public:
    using Lock = NameMap<WatchedLock>::Entry;

    // ended: called from the event loop when the lease of this lock has ended; the lock is removed before. The clock
    // must outlive this object.
    LeaseEnds(Clock& clock, std::function<void(Lock& lock)> ended);

    // Replaces an earlier time. Remove the lock before it moves or is destroyed.
    void set(Lock& lock, SteadyTime end);
    // Does nothing for a lock without an entry.
    void remove(WatchedLock& lock);

private:
    struct Entry {
        SteadyTime end;
        Lock* lock;
    };

    void run();
    // Puts the entry into this place, or where the order needs it instead.
    void put(size_t place, const Entry& entry);
    void keep(size_t place, const Entry& entry);

    Clock& m_clock;
    const std::function<void(Lock& lock)> m_ended;
    std::vector<Entry> m_heap;
    ClockTimer m_timer{m_clock, [this] { run(); }};
};

}  // namespace lockkeeper::monitor
