#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <span>
#include <vector>

namespace lockkeeper::monitor {

// One who is known to wait, and one who holds what it waits for.
struct WaitEdge {
    HolderId waiter;
    LockName lock;
    HolderId holder;

    friend bool operator==(const WaitEdge&, const WaitEdge&) = default;
    friend size_t qHash(const WaitEdge& edge, size_t seed = 0) noexcept {
        return qHashMulti(seed, edge.waiter, edge.lock, edge.holder);
    }
};

// Who waits for whom, as far as the keys name the waiters: those of fair locks stand in their queues; of any other lock
// only the number is known.
struct WaitGraph {
    std::vector<WaitEdge> edges;  // in the order of the locks, then of their queues
    // Deadlocks: in each, every one waits for the next and the last for the first. For each group of owners that are
    // entangled one cycle, a shortest one.
    std::vector<std::vector<WaitEdge>> cycles;
    // Locks that clients wait for whom the keys do not name.
    QList<LockName> unnamedWaiters;
    qint64 edgesLeftOut = 0;  // beyond the bound

    friend bool operator==(const WaitGraph&, const WaitGraph&) = default;
};

// More than anybody reads through, and quickly searched for cycles.
constexpr size_t mostWaitEdges = 20000;

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT WaitGraph waitGraphOf(std::span<const LockSnapshot* const> locks);

}  // namespace lockkeeper::monitor
