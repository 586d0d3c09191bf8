// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::control {

// Why the console did not write. In brackets: what Error::arguments holds. A new one also needs a number for
// recordings: see core/recording/enumnumbers.h.
enum class ConsoleCause {
    NotArmed,    // not armed yet, or not any more
    NeverArmed,  // the profile or the command line forbids it
    ChangedSinceConfirmed,
    InQuarantine,  // this console has a quarantine of it already
    NoHolderToBreak,
    UnknownKindToBreak,
    TooManyReadHolds,  // [how many]
    TooManyReaders     // too many to read them all, so not all are known [how many]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(ConsoleCause);

}  // namespace lockkeeper::control
