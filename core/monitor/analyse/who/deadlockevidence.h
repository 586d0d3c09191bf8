#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/waitgraph.h"

#include <QHash>

namespace lockkeeper::monitor {

// The last looks at the locks of one cycle, and whether they prove a deadlock.
struct CycleLooks {
    WallTime earliest{};
    WallTime latest{};
    bool isProven = false;

    friend bool operator==(const CycleLooks&, const CycleLooks&) = default;
};

// A graph is made of looks of different moments, so its waits need never have been there together: the one may have
// ended before the other began. But a deadlock stays. Proven is a cycle of which every lock was looked at again after
// the last wait of it was first seen, and had the same holder and the same entry in its queue as before; and one within
// a single lock, which a look reads as a whole.
class LOCKKEEPER_MONITOR_EXPORT DeadlockEvidence {
public:
    // The graphs in the order of time. locks: those that the graph was made of. Answers for each of its cycles.
    [[nodiscard]] std::vector<CycleLooks> follow(const WaitGraph& graph, std::span<const LockSnapshot* const> locks);
    // What comes next has nothing to do with what was before: another server, or a gap.
    void forget() { m_waits.clear(); }

private:
    struct Wait {
        SteadyTime firstSeen{};
        // As good as the name of the entry: who leaves the queue and joins it again gets another one.
        std::optional<WallTime> deadline;
    };
    using Looks = QHash<LockName, const LockSnapshot*>;

    [[nodiscard]] Wait waitOf(const WaitEdge& edge, const LockSnapshot& look) const;
    [[nodiscard]] static CycleLooks looksAt(const std::vector<WaitEdge>& cycle, const Looks& looks,
                                            SteadyTime allSeenSince);

    QHash<WaitEdge, Wait> m_waits;  // those of the cycles
};

}  // namespace lockkeeper::monitor
