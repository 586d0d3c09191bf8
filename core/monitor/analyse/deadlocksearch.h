// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/deadlockevidence.h"
#include "monitor/model/diagnosis.h"

#include <QSet>

#include <functional>

namespace lockkeeper::monitor {

// Searches the queues of fair locks for deadlocks. It searches again after each read that may show or prove a deadlock,
// but at most twice a second. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT DeadlockSearch {
public:
    // The last read of a lock; nullptr if it is not known any more.
    using LastRead = std::function<const LockSnapshot*(const LockName&)>;

    // Call it with each read, before search(). before: nullptr for the first read of a lock.
    void follow(const LockSnapshot* before, const LockSnapshot& read);
    void forget(const LockName& name);
    [[nodiscard]] bool isDue(SteadyTime now) const noexcept { return m_isChanged && now >= m_nextSearch; }
    // Returns the locks whose diagnosis has come, gone or changed.
    QSet<LockName> search(SteadyTime now, const LastRead& lastRead);

    [[nodiscard]] std::optional<Deadlock> of(const LockName& name) const;
    // When this lock must be read again, for the search or to confirm a cycle; nothing: no read is needed.
    [[nodiscard]] std::optional<SteadyTime> nextRead(const LockName& name) const;

private:
    QHash<LockName, Deadlock> found(const WaitGraph& graph, const std::vector<CycleReads>& reads);
    void addCycle(QHash<LockName, Deadlock>& deadlocks, const std::vector<WaitEdge>& cycle, WallTime provenAt) const;

    QSet<LockName> m_queued;    // held, with a queue
    QSet<LockName> m_unproven;  // locks of cycles that must be read once more
    DeadlockEvidence m_evidence;
    QHash<LockName, Deadlock> m_deadlocks;
    bool m_isChanged = false;
    LockName m_changedBy;  // the lock of the last change: its next read may start the search
    SteadyTime m_nextSearch{};
};

}  // namespace lockkeeper::monitor
