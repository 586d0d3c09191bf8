#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// What a way of watching cannot see, even when it works correctly.
enum class BlindSpot {
    FastChanges,   // changes between the server's report of a change and the read after it
    FairQueues,    // clients that join or leave a fair lock's queue, until the lock itself changes
    BetweenPolls,  // changes between two polls
    UnknownNames   // a lock with a name that is not known yet, until a sweep, a waiter or a message shows it
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<BlindSpot> blindSpotsOf(const MonitorStats& stats);

}  // namespace lockkeeper::monitor
