// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/namemap.h"
#include "monitor/observe/leaseends.h"
#include "monitor/observe/readqueue.h"
#include "monitor/observe/vainreads.h"
#include "monitor/observe/watchedlock.h"

namespace lockkeeper::monitor {

// The locks that one Observer watches, and when each of them is read next: soon, when its rate allows it, or when its
// lease ends. At most one read of a lock is queued at a time. Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT ReadSchedule {
public:
    using Lock = NameMap<WatchedLock>::Entry;  // name and state, valid until the lock is removed

    // begin: begins a read; call noteReadEnd() at the end of the read, which may be at once. The clock must outlive
    // this object.
    ReadSchedule(Clock& clock, std::function<void(const LockName& name)> begin)
        : m_clock(clock), m_queue(std::move(begin)) {}

    // Null if the lock is not watched; valid until the lock is removed.
    [[nodiscard]] WatchedLock* find(const LockName& name) { return m_locks.find(name); }
    // As find(). Copies of the name in here are found sooner than the same name from a reply.
    [[nodiscard]] Lock* entry(const LockName& name) { return m_locks.entry(name); }
    [[nodiscard]] bool contains(const LockName& name) const { return m_locks.contains(name); }
    [[nodiscard]] QList<LockName> names() const { return m_locks.names(); }
    [[nodiscard]] qsizetype size() const { return m_locks.size(); }

    Lock& add(const LockName& name, WatchedLock watched);
    // Returns what was known about the lock; nothing if it is not watched.
    std::optional<WatchedLock> remove(const LockName& name);
    void clear();

    // Reads the lock as soon as its rate allows it.
    void request(Lock& lock);
    // The server reported a change of a tracked key. As request(), but later while the reports are mostly evictions of
    // the server's table: each read of the lock evicts other keys, which would lead to reads without end.
    void requestAfterReport(Lock& lock);
    // The lock was read. Call it before WatchedLock::endRead().
    void noteReading(Lock& lock, const LockSnapshot& found, int messagesReceived);
    // Whether such a read was put off for a noticeable time, within the last minute.
    [[nodiscard]] bool areReportsDelayed() const;
    void requestAll();
    // Replaces an earlier time.
    void requestAt(Lock& lock, SteadyTime when);
    // Reads the lock at the end of its lease. The server deletes an expired key only when it comes across it, and
    // reports the deletion only then; the read triggers both.
    void requestAtLeaseEnd(Lock& lock);
    void noteReadEnd() { m_queue.noteEnd(); }

    // No reads are possible until resume(): drops the requests, and does not wait for the ends of leases.
    void interrupt();
    void resume() { m_isInterrupted = false; }
    // Calls the function for each lock once, in no order.
    template <typename Function>
    void forEach(Function&& each) {
        for (auto& [name, watched] : m_locks)
            each(watched);
    }

private:
    void requestAt(Lock& lock, SteadyTime when, WatchedLock::Request request);
    void enqueue(Lock& lock);
    void cancelTimers(WatchedLock& watched);

    Clock& m_clock;
    NameMap<WatchedLock> m_locks;
    LeaseEnds m_leaseEnds{m_clock, [this](Lock& lock) { request(lock); }};
    ReadQueue m_queue;
    bool m_isInterrupted = true;
    VainReads m_vain;                       // reads because of reports of all locks
    std::optional<SteadyTime> m_delayedAt;  // when a read was last put off by requestAfterReport()
};

}  // namespace lockkeeper::monitor
