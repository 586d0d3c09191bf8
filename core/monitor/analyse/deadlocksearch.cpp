// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/deadlocksearch.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::monitor {

namespace {

constexpr Milliseconds betweenSearches = 500ms;
constexpr Milliseconds betweenReads = 1s;

bool isQueued(const LockSnapshot& lock) {
    return lock.isHeld() && !lock.fairQueue.isEmpty();
}

}  // namespace

void DeadlockSearch::follow(const LockSnapshot* before, const LockSnapshot& read) {
    const bool wasQueued = m_queued.contains(read.name);
    if (!wasQueued && !isQueued(read))
        return;
    if (isQueued(read)) {
        m_queued.insert(read.name);
    } else {
        m_queued.remove(read.name);
        m_deadlocks.remove(read.name);
    }
    const bool isSame = wasQueued && before && before->holders == read.holders && before->fairQueue == read.fairQueue;
    if (!isSame || m_unproven.contains(read.name)) {
        m_isChanged = true;
        m_changedBy = read.name;
    }
}

void DeadlockSearch::forget(const LockName& name) {
    if (!m_queued.remove(name))
        return;
    m_unproven.remove(name);
    m_deadlocks.remove(name);
    m_isChanged = true;
}

QSet<LockName> DeadlockSearch::search(SteadyTime now, const LastRead& lastRead) {
    m_isChanged = false;
    m_nextSearch = now + betweenSearches;
    std::vector<const LockSnapshot*> locks;
    for (const LockName& name : std::as_const(m_queued)) {
        if (const LockSnapshot* lock = lastRead(name))
            locks.push_back(lock);
    }
    // Sorted, because the same cycle may be found with another begin.
    std::ranges::sort(locks, {}, [](const LockSnapshot* lock) -> const LockName& { return lock->name; });
    const WaitGraph graph = waitGraphOf(locks);
    const QHash<LockName, Deadlock> before = m_deadlocks;
    m_deadlocks = found(graph, m_evidence.follow(graph, locks));
    QSet<LockName> changed;
    for (auto known = before.cbegin(); known != before.cend(); ++known) {
        if (of(known.key()) != *known)
            changed.insert(known.key());
    }
    for (auto known = m_deadlocks.cbegin(); known != m_deadlocks.cend(); ++known) {
        if (!before.contains(known.key()))
            changed.insert(known.key());
    }
    return changed + m_unproven;
}

QHash<LockName, Deadlock> DeadlockSearch::found(const WaitGraph& graph, const std::vector<CycleReads>& reads) {
    QHash<LockName, Deadlock> deadlocks;
    m_unproven.clear();
    for (size_t i = 0; i < graph.cycles.size(); ++i) {
        if (reads[i].isProven) {
            addCycle(deadlocks, graph.cycles[i], reads[i].latest);
            continue;
        }
        for (const WaitEdge& edge : graph.cycles[i])
            m_unproven.insert(edge.lock);
    }
    return deadlocks;
}

void DeadlockSearch::addCycle(QHash<LockName, Deadlock>& deadlocks, const std::vector<WaitEdge>& cycle,
                              WallTime provenAt) const {
    for (size_t i = 0; i < cycle.size(); ++i) {
        const WaitEdge& next = cycle[(i + 1) % cycle.size()];
        Deadlock deadlock{next.waiter, next.lock, next.holder, static_cast<int>(cycle.size()), provenAt};
        // Keeps the first time: later reads only prove the same again.
        const auto before = m_deadlocks.constFind(cycle[i].lock);
        if (before != m_deadlocks.cend() && before->holder == deadlock.holder &&
            before->waitsFor == deadlock.waitsFor && before->heldBy == deadlock.heldBy &&
            before->holders == deadlock.holders)
            deadlock.provenAt = before->provenAt;
        deadlocks.insert(cycle[i].lock, deadlock);
    }
}

std::optional<Deadlock> DeadlockSearch::of(const LockName& name) const {
    const auto found = m_deadlocks.constFind(name);
    return found == m_deadlocks.cend() ? std::nullopt : std::optional(*found);
}

std::optional<SteadyTime> DeadlockSearch::nextRead(const LockName& name) const {
    if (m_unproven.contains(name))
        return m_nextSearch - betweenSearches + betweenReads;
    if (m_isChanged && name == m_changedBy)
        return m_nextSearch;
    return std::nullopt;
}

}  // namespace lockkeeper::monitor
