// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/listeners.h"
#include "monitor/model/lockrow.h"

#include <QHash>

namespace lockkeeper::monitor {

// Finds fair queues that are kept under another name than their lock. With a NameMapper, Redisson before 3.52 keeps the
// hash and the channels of a fair lock under the mapped name, but its queue under the unmapped name; newer versions
// keep both under the mapped name. So one lock may have two queues. A waiter that is subscribed for one name and queued
// under another name proves this, because a thread waits for one lock at a time. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT QueueMapping {
public:
    // Adds a read of any lock. Returns the lock that its queue belongs to, if that is another lock.
    std::optional<LockName> follow(const LockSnapshot& read);
    // Adds a count of the waiters of this lock. Returns true if the count shows for the first time that the lock has a
    // queue under another name.
    bool learn(const LockSnapshot& lock, const Listeners& counted);
    void forget(const LockName& name);

    // The queue of this lock under another name; null if there is none, or if it is empty.
    [[nodiscard]] std::shared_ptr<const UnmappedQueue> of(const LockName& lock) const;
    // The lock that the queue of this name belongs to; nothing if the queue belongs to the lock of the same name.
    [[nodiscard]] std::optional<LockName> lockOf(const LockName& queue) const;
    // The count without the waiters in the queue under another name: they are not stray waiters.
    [[nodiscard]] Listeners withoutThem(const LockName& lock, Listeners counted) const;

private:
    QHash<LockName, QList<FairWaiter>> m_queues;  // all that are not empty
    QHash<LockName, LockName> m_queueOf;          // by the name of the lock
    QHash<LockName, LockName> m_lockOf;           // by the name of the queue
};

}  // namespace lockkeeper::monitor
