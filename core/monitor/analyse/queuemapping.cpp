// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/queuemapping.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool contains(const QList<FairWaiter>& queue, const HolderId& id) {
    return std::ranges::any_of(queue, [&id](const FairWaiter& waiter) { return waiter.id == id; });
}

}  // namespace

std::optional<LockName> QueueMapping::follow(const LockSnapshot& read) {
    if (read.fairQueue.isEmpty())
        m_queues.remove(read.name);
    else
        m_queues.insert(read.name, read.fairQueue);
    return lockOf(read.name);
}

bool QueueMapping::learn(const LockSnapshot& lock, const Listeners& counted) {
    if (m_queueOf.contains(lock.name))
        return false;
    for (const HolderId& waiter : counted.fairWaiters) {
        if (contains(lock.fairQueue, waiter))
            continue;
        for (auto [name, queue] : m_queues.asKeyValueRange()) {
            if (name == lock.name || m_lockOf.contains(name) || !contains(queue, waiter))
                continue;
            m_queueOf.insert(lock.name, name);
            m_lockOf.insert(name, lock.name);
            return true;
        }
    }
    return false;
}

void QueueMapping::forget(const LockName& name) {
    m_queues.remove(name);
    m_lockOf.remove(m_queueOf.take(name));
    m_queueOf.remove(m_lockOf.take(name));
}

std::shared_ptr<const UnmappedQueue> QueueMapping::of(const LockName& lock) const {
    const auto name = m_queueOf.constFind(lock);
    if (name == m_queueOf.constEnd() || !m_queues.contains(*name))
        return nullptr;
    return std::make_shared<const UnmappedQueue>(UnmappedQueue{*name, m_queues.value(*name)});
}

std::optional<LockName> QueueMapping::lockOf(const LockName& queue) const {
    const auto lock = m_lockOf.constFind(queue);
    return lock == m_lockOf.constEnd() ? std::nullopt : std::optional(*lock);
}

Listeners QueueMapping::withoutThem(const LockName& lock, Listeners counted) const {
    if (!m_queueOf.contains(lock))
        return counted;
    const QList<FairWaiter> queue = m_queues.value(m_queueOf.value(lock));
    counted.fairWaiters.removeIf([&queue](const HolderId& waiter) { return contains(queue, waiter); });
    return counted;
}

}  // namespace lockkeeper::monitor
