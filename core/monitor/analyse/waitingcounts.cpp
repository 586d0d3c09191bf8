// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/waitingcounts.h"

namespace lockkeeper::monitor {

topology::ShardId shardOf(const LockSnapshot& lock) {
    return lock.node ? lock.node->shard : topology::ShardId();
}

std::optional<WaitingCounts::Waiting> WaitingCounts::set(topology::ShardId shard, const Waiting& waiting) {
    m_listening.reset();
    const auto counted = m_waiting.find(shard);
    if (counted != m_waiting.end())
        return std::exchange(*counted, waiting);
    m_waiting.insert(shard, waiting);
    return std::nullopt;
}

void WaitingCounts::follow(const LockSnapshot& before, const LockSnapshot& after) {
    const Waiting* earlier = of(before);
    const auto counted = m_waiting.find(shardOf(after));
    if (counted == m_waiting.end())
        return;
    if (shardOf(before) != shardOf(after) && earlier)
        counted->insert(after.name, earlier->value(after.name));
    if (!before.fairQueue.isEmpty() && after.fairQueue.isEmpty())
        counted->remove(after.name);
}

void WaitingCounts::apply(LockSnapshot& lock) const {
    lock.monitorsAmongWaiters = 0;
    if (!lock.fairQueue.isEmpty())
        return;
    if (const Waiting* counted = of(lock)) {
        const Listeners listeners = counted->value(lock.name);
        lock.waiters = listeners.clients;
        lock.monitorsAmongWaiters = listeners.monitors;
    } else {
        lock.waiters = lock.kind == LockKind::Fair ? std::optional(0) : std::nullopt;
    }
}

bool WaitingCounts::isListening(const HolderId& fairWaiter) {
    if (!m_listening) {
        m_listening.emplace();
        for (const Waiting& ofShard : std::as_const(m_waiting)) {
            for (const Listeners& listeners : ofShard)
                m_listening->unite({listeners.fairWaiters.begin(), listeners.fairWaiters.end()});
        }
    }
    return m_listening->contains(fairWaiter);
}

const WaitingCounts::Waiting* WaitingCounts::of(const LockSnapshot& lock) const {
    const auto counted = m_waiting.constFind(shardOf(lock));
    return counted == m_waiting.constEnd() ? nullptr : &*counted;
}

}  // namespace lockkeeper::monitor
