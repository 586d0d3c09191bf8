// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::control {

// Whether compare-and-release would find the confirmed state in `now`: holders with their counts and modes, kind of
// hold, and token.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isSameHold(const monitor::LockSnapshot& confirmed,
                                                        const monitor::LockSnapshot& now);

// The values of a faster multi lock that this holder has.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<monitor::HeldValue> valuesOf(const monitor::LockSnapshot& lock,
                                                                           const HolderId& holder);
// As isSameHold(), for a change of this holder's values only: which values it has, and how often. Renewals change
// neither.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasSameValues(const monitor::LockSnapshot& confirmed,
                                                           const monitor::LockSnapshot& now, const HolderId& holder);

// What the lock shows when it is read after a change whose answer was lost. after: nothing if it could not be read.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Found foundAfter(const ForceReleaseRequest& request,
                                                         const std::optional<monitor::LockSnapshot>& after);

}  // namespace lockkeeper::control
