#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// What a way of watching does not see, however well it works.
enum class BlindSpot {
    FastChanges,   // what comes and goes between the server's word of a change and the look that follows it
    FairQueues,    // who joins or leaves a fair lock's queue, until the lock itself changes
    BetweenPolls,  // what comes and goes between two looks of the poll
    UnknownNames   // a lock whose name nobody knows yet, until a sweep, a waiter or a message leads to it
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<BlindSpot> blindSpotsOf(const MonitorStats& stats);

// Stable lower-case words: "tracking", "fast_changes".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(ObservationMode source);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(BlindSpot spot);

}  // namespace lockkeeper::monitor
