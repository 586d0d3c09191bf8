// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/listeners.h"
#include "monitor/model/lockrow.h"

#include <QHash>

namespace lockkeeper::monitor {

// Finds the fair queues that are kept under another name than their lock. With a NameMapper, Redisson before 3.52 keeps
// the hash and the channels of a fair lock under the mapped name, and its queue under the unmapped one; newer versions
// keep both under the mapped one. So one lock may have two queues. A waiter that is subscribed for one name and queued
// under another one proves it: a thread waits for one lock at a time. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT UnmappedQueues {
public:
    // A read of any lock. Returns the lock that its queue belongs to, if that is another one.
    std::optional<LockName> follow(const LockSnapshot& read);
    // A count of those who wait for this lock; true if that shows a queue of it under another name for the first time.
    bool learn(const LockSnapshot& lock, const Listeners& counted);
    void forget(const LockName& name);

    // The queue of this lock under another name; null if there is none, or if it is empty.
    [[nodiscard]] std::shared_ptr<const UnmappedQueue> of(const LockName& lock) const;
    // The lock that the queue of this name belongs to; nothing if it is its own.
    [[nodiscard]] std::optional<LockName> lockOf(const LockName& queue) const;
    // Without those that wait in the queue under another name: they are not strays.
    [[nodiscard]] Listeners withoutThem(const LockName& lock, Listeners counted) const;

private:
    QHash<LockName, QList<FairWaiter>> m_queues;  // all that are not empty
    QHash<LockName, LockName> m_queueOf;          // of a lock
    QHash<LockName, LockName> m_lockOf;           // the reverse
};

}  // namespace lockkeeper::monitor
