#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QHash>

#include <optional>
#include <set>

namespace lockkeeper::monitor {

// Which lock is to be looked at when, one time a lock. Each call costs O(log n) however many locks there are.
class LOCKKEEPER_MONITOR_EXPORT LookAgenda {
public:
    // In place of an earlier time; nothing: not at all.
    void set(const LockName& name, std::optional<SteadyTime> when);
    [[nodiscard]] std::optional<SteadyTime> earliest() const;
    // Takes off all that are due.
    [[nodiscard]] QList<LockName> takeDue(SteadyTime now);

private:
    std::set<std::pair<SteadyTime, LockName>> m_inOrder;
    QHash<LockName, SteadyTime> m_times;
};

}  // namespace lockkeeper::monitor
