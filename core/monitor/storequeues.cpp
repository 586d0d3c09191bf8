// SPDX-License-Identifier: Apache-2.0
#include "monitor/lockstore.h"

#include <algorithm>

// What a LockStore learns about the waiters of fair queues.
namespace lockkeeper::monitor {

// Whether the lock of this queue has another name and is held. The waiters of such a queue are subscribed under the
// lock's name; while it is held, they may also be dead.
bool LockStore::isHeldByOtherName(const LockSnapshot& queue) const {
    const std::optional<LockName> mapped = m_unmappedQueues.lockOf(queue.name);
    const KnownLock* owner = mapped ? m_known.find(*mapped) : nullptr;
    return owner && owner->lock().isHeld();
}

QueueListening LockStore::queueListening(const LockSnapshot& lock, Coverage coverage) {
    QueueListening listening{false, {}, coverage};
    if (lock.fairQueue.isEmpty())
        return listening;
    listening.isHeadListening = isHeldByOtherName(lock) || m_counts.isListening(lock.fairQueue.first().id);
    listening.unheard = notListening(lock);
    return listening;
}

QList<HolderId> LockStore::notListening(const LockSnapshot& lock) {
    QList<HolderId> found;
    if (isHeldByOtherName(lock))
        return found;
    for (const FairWaiter& waiter : lock.fairQueue) {
        if (!m_counts.isListening(waiter.id))
            found += waiter.id;
    }
    return found;
}

void LockStore::noteUnheard(const KnownLock& known) {
    if (known.history.unheardWaiters().isEmpty())
        m_unheard.remove(known.lock().name);
    else
        m_unheard.insert(known.lock().name);
}

QHash<HolderId, LockName> LockStore::unheardWaiters() const {
    QHash<HolderId, LockName> unheard;
    for (const LockName& name : m_unheard) {
        for (const HolderId& waiter : m_known.find(name)->history.unheardWaiters())
            unheard.insert(waiter, name);
    }
    return unheard;
}

bool LockStore::isQueued(const LockName& name, const HolderId& waiter) const {
    const KnownLock* known = m_known.find(name);
    return known &&
           std::ranges::any_of(known->lock().fairQueue, [&](const FairWaiter& queued) { return queued.id == waiter; });
}

bool LockStore::provesDead(const LockName& name, const HolderId& waiter) const {
    const KnownLock* known = m_known.find(name);
    return known &&
           std::ranges::any_of(known->row().deadWaiters(), [&](const FairWaiter& dead) { return dead.id == waiter; });
}

void LockStore::setDeadWaiters(KnownLock& known, QList<FairWaiter> found) {
    if (found == known.row().deadWaiters())
        return;
    LockRow& row = known.edit();
    QueueFacts facts = *row.queueFacts;
    facts.deadWaiters = std::move(found);
    row.setQueueFacts(std::move(facts));
    m_changed.insert(known.lock().name);
}

}  // namespace lockkeeper::monitor
