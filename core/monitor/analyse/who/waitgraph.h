// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QHash>

#include <span>
#include <vector>

namespace lockkeeper::monitor {

// A known waiter, and the holder of the lock that it waits for.
struct WaitEdge {
    HolderId waiter;
    LockName lock;
    HolderId holder;
    bool isByThread = false;  // a thread dump shows that it waits, and this is the only lock that it can be

    friend bool operator==(const WaitEdge&, const WaitEdge&) = default;
    friend size_t qHash(const WaitEdge& edge, size_t seed = 0) noexcept {
        return qHashMulti(seed, edge.waiter, edge.lock, edge.holder);
    }
};

// Which holders wait for which others, as far as the waiters are known. Only the queues of fair locks name them; of any
// other lock only the number of waiters is known, and what thread dumps show.
struct WaitGraph {
    std::vector<WaitEdge> edges;  // sorted by lock, then by queue position
    // Deadlocks: in each, every holder waits for the next one, and the last for the first. One shortest cycle for each
    // group of holders that wait for each other.
    std::vector<std::vector<WaitEdge>> cycles;
    // Locks with waiters that the keys do not name.
    QList<LockName> unnamedWaiters;
    qint64 edgesLeftOut = 0;  // beyond the bound

    friend bool operator==(const WaitGraph&, const WaitGraph&) = default;
};

// More edges than a user can read, and still few enough for a quick search for cycles.
constexpr size_t mostWaitEdges = 20000;

// Threads that wait for a lock, by thread dumps.
using ThreadsThatWait = QHash<LockName, QList<HolderId>>;

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT WaitGraph waitGraphOf(std::span<const LockSnapshot* const> locks,
                                                              const ThreadsThatWait& byThreads = {});

}  // namespace lockkeeper::monitor
