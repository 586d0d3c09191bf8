// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::profile {

// What happened to the file of the profiles. In brackets: what Error::arguments holds. A new one also needs a number
// for recordings: see core/recording/enumnumbers.h.
enum class ProfileCause {
    ProfilesNotReadable,
    DamagedNotRenamed,       // [file]
    LaterVersionNotRenamed,  // [file]
    FileRenamed,             // [file, its new name]
    BackupRestored           // [file, its new name]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(ProfileCause);

}  // namespace lockkeeper::profile
