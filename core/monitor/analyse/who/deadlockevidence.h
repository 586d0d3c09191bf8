// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/waitgraph.h"

#include <QHash>

namespace lockkeeper::monitor {

// The last reads of the locks of one cycle, and whether they prove a deadlock.
struct CycleReads {
    WallTime earliest{};
    WallTime latest{};
    bool isProven = false;

    friend bool operator==(const CycleReads&, const CycleReads&) = default;
};

// Confirms cycles. A graph combines reads of different moments, so its waits need not have existed at the same time:
// one may have ended before another began. A deadlock, however, lasts. So a cycle is confirmed if each of its locks was
// read again after all of its waits had been seen, and had the same holder and the same queue entry as before. A cycle
// within a single lock is confirmed at once, because one read covers it.
class LOCKKEEPER_MONITOR_EXPORT DeadlockEvidence {
public:
    // Call it with the graphs in order of time. locks: the locks of the graph. Returns one entry for each cycle of the
    // graph.
    [[nodiscard]] std::vector<CycleReads> follow(const WaitGraph& graph, std::span<const LockSnapshot* const> locks);
    // Forgets the waits, so that the next graph is compared with none. Call it for another server, or after a gap.
    void forget() { m_waits.clear(); }

private:
    struct Wait {
        SteadyTime firstSeen{};
        // Identifies the queue entry: a client that leaves the queue and joins it again gets another deadline.
        std::optional<WallTime> deadline;
    };
    using Locks = QHash<LockName, const LockSnapshot*>;

    [[nodiscard]] Wait waitOf(const WaitEdge& edge, const LockSnapshot& lock) const;
    [[nodiscard]] static CycleReads readsOf(const std::vector<WaitEdge>& cycle, const Locks& byName,
                                            SteadyTime allSeenSince);

    QHash<WaitEdge, Wait> m_waits;  // the waits of the cycles
};

}  // namespace lockkeeper::monitor
