// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/profilefile.h"

namespace lockkeeper::profile {

// Saved connections in a file for another machine or another user: in the format of the file of profiles, without
// secrets and without the time of their last use. Blocks for the disk.

// Errors: Storage.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<Done> exportProfiles(const QString& path,
                                                                    const QList<StoredProfile>& saved);

// The saved connections of the file; a ProfileFileFault if the content is not usable; an Error, Storage, if the file
// cannot be read.
using ProfileImport = std::variant<QList<StoredProfile>, ProfileFileFault, Error>;
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ProfileImport importProfiles(const QString& path);

// What happens to an imported connection whose id is already known.
enum class SameId { KeepKnown, Replace, KeepBoth };

struct ProfileMerge {
    QList<StoredProfile> profiles;  // the known ones in their order, then the new ones
    int added = 0;
    int replaced = 0;
};

// The imported profiles whose id is that of a saved profile with other settings.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<StoredProfile> conflicting(const QList<StoredProfile>& known,
                                                                         const QList<StoredProfile>& imported);
// A saved connection keeps the secrets of its id only if its URL stays the same: a file must not be able to send a
// password to another server. A new connection whose name is taken gets another name.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ProfileMerge mergedProfiles(const QList<StoredProfile>& known,
                                                                    const QList<StoredProfile>& imported,
                                                                    SameId sameId);

}  // namespace lockkeeper::profile
