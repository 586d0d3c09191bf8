// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>

#include <optional>
#include <set>

namespace lockkeeper::monitor {

// When each lock is due; one time for each lock. Each call costs O(log n) for n locks.
class LOCKKEEPER_MONITOR_EXPORT NameSchedule {
public:
    // Replaces an earlier time; without `when` the lock is removed.
    void set(const LockName& name, std::optional<SteadyTime> when);
    // As set(), unless the lock is due earlier.
    void bringForward(const LockName& name, SteadyTime when);
    [[nodiscard]] std::optional<SteadyTime> earliest() const;
    // Removes and returns all locks that are due.
    [[nodiscard]] QList<LockName> takeDue(SteadyTime now);

private:
    std::set<std::pair<SteadyTime, LockName>> m_inOrder;
    QHash<LockName, SteadyTime> m_times;
};

}  // namespace lockkeeper::monitor
