// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/deadlockevidence.h"

#include <algorithm>

namespace lockkeeper::monitor {

std::vector<CycleReads> DeadlockEvidence::follow(const WaitGraph& graph, std::span<const LockSnapshot* const> locks) {
    Locks byName;
    if (!graph.cycles.empty())
        for (const LockSnapshot* lock : locks)
            byName.insert(lock->name, lock);
    QHash<WaitEdge, Wait> waits;
    std::vector<CycleReads> answers;
    for (const std::vector<WaitEdge>& cycle : graph.cycles) {
        SteadyTime allSeenSince{};
        for (const WaitEdge& edge : cycle) {
            const Wait wait = waitOf(edge, *byName.value(edge.lock));
            allSeenSince = std::max(allSeenSince, wait.firstSeen);
            waits.insert(edge, wait);
        }
        answers.push_back(readsOf(cycle, byName, allSeenSince));
    }
    m_waits = std::move(waits);
    return answers;
}

DeadlockEvidence::Wait DeadlockEvidence::waitOf(const WaitEdge& edge, const LockSnapshot& lock) const {
    const auto entry = std::ranges::find(lock.fairQueue, edge.waiter, &FairWaiter::id);
    const Wait now{lock.seenAt, entry == lock.fairQueue.end() ? std::nullopt : entry->deadline};
    const auto before = m_waits.constFind(edge);
    return before != m_waits.cend() && before->deadline == now.deadline ? *before : now;
}

CycleReads DeadlockEvidence::readsOf(const std::vector<WaitEdge>& cycle, const Locks& byName, SteadyTime allSeenSince) {
    const bool atOnce = std::ranges::all_of(cycle, [&](const WaitEdge& edge) { return edge.lock == cycle[0].lock; });
    CycleReads answer{WallTime::max(), WallTime::min(), true};
    for (const WaitEdge& edge : cycle) {
        const LockSnapshot& lock = *byName.value(edge.lock);
        answer.earliest = std::min(answer.earliest, lock.seenAtWall);
        answer.latest = std::max(answer.latest, lock.seenAtWall);
        answer.isProven = answer.isProven && (atOnce || lock.seenAt > allSeenSince);
    }
    return answer;
}

}  // namespace lockkeeper::monitor
