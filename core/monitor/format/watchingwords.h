// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"

namespace lockkeeper::monitor {

// What limits watching, in English, for the terminal and for JSON. The words are documented and must not change.

// Stable lower-case words, such as "tracking" and "fast_changes".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(ObservationMode source);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(BlindSpot spot);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(NodePhase phase);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(WriteReports reports);

// Why no better source is used; empty if there is no reason.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString reasonLine(const ObservationLimit& limit);
// Lines such as "PUBSUB: who waits for a lock is not known", sorted by command.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList denialLines(const QList<Denial>& denials);

}  // namespace lockkeeper::monitor
