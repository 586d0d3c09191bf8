// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/deadlockevidence.h"

#include <algorithm>

namespace lockkeeper::monitor {

std::vector<CycleLooks> DeadlockEvidence::follow(const WaitGraph& graph, std::span<const LockSnapshot* const> locks) {
    Looks looks;
    if (!graph.cycles.empty())
        for (const LockSnapshot* lock : locks)
            looks.insert(lock->name, lock);
    QHash<WaitEdge, Wait> waits;
    std::vector<CycleLooks> answers;
    for (const std::vector<WaitEdge>& cycle : graph.cycles) {
        SteadyTime allSeenSince{};
        for (const WaitEdge& edge : cycle) {
            const Wait wait = waitOf(edge, *looks.value(edge.lock));
            allSeenSince = std::max(allSeenSince, wait.firstSeen);
            waits.insert(edge, wait);
        }
        answers.push_back(looksAt(cycle, looks, allSeenSince));
    }
    m_waits = std::move(waits);
    return answers;
}

DeadlockEvidence::Wait DeadlockEvidence::waitOf(const WaitEdge& edge, const LockSnapshot& look) const {
    const auto entry = std::ranges::find(look.fairQueue, edge.waiter, &FairWaiter::id);
    const Wait now{look.seenAt, entry == look.fairQueue.end() ? std::nullopt : entry->deadline};
    const auto before = m_waits.constFind(edge);
    return before != m_waits.cend() && before->deadline == now.deadline ? *before : now;
}

CycleLooks DeadlockEvidence::looksAt(const std::vector<WaitEdge>& cycle, const Looks& looks, SteadyTime allSeenSince) {
    const bool atOnce = std::ranges::all_of(cycle, [&](const WaitEdge& edge) { return edge.lock == cycle[0].lock; });
    CycleLooks answer{WallTime::max(), WallTime::min(), true};
    for (const WaitEdge& edge : cycle) {
        const LockSnapshot& look = *looks.value(edge.lock);
        answer.earliest = std::min(answer.earliest, look.seenAtWall);
        answer.latest = std::max(answer.latest, look.seenAtWall);
        answer.isProven = answer.isProven && (atOnce || look.seenAt > allSeenSince);
    }
    return answer;
}

}  // namespace lockkeeper::monitor
