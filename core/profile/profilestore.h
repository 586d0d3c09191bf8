// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "profile/profilecause.h"
#include "profile/storedprofile.h"

#include <QList>

namespace lockkeeper::profile {

// The user's profiles in a JSON file that only the user may read. A change replaces the whole file or nothing, and the
// previous file stays as "<path>.bak".
// A file that is damaged or of a later version of Lockkeeper is renamed, never deleted, and a good backup replaces it.
// The call that finds such a file fails with the reason and the new name, and changes nothing else; the next call
// works.
// Errors: Storage; InvalidArgument for a profile that could not be read again. Thread: any one. Blocks for the disk.
class LOCKKEEPER_MONITOR_EXPORT ProfileStore {
public:
    static constexpr qsizetype mostRemembered = 50;  // recent profiles

    // The folder is created with the first change.
    explicit ProfileStore(QString path);

    // A new id for a profile that is to be saved.
    [[nodiscard]] static ProfileId newId();

    // In the order of save(); empty if there is no file.
    [[nodiscard]] Result<QList<StoredProfile>> load();
    [[nodiscard]] Result<Done> save(const QList<StoredProfile>& profiles);
    // Call after a connection. Of a saved profile only the time changes. Any other profile becomes the first recent one
    // and replaces the one with the same id; the oldest ones beyond mostRemembered are dropped.
    [[nodiscard]] Result<Done> remember(const ConnectionProfile& profile, WallTime now);
    // Replaces the profile with the same id; a new profile becomes the last one.
    [[nodiscard]] Result<Done> keep(const StoredProfile& stored);
    // Also succeeds if there is no profile with this id.
    [[nodiscard]] Result<Done> forget(const ProfileId& id);

private:
    struct File;

    [[nodiscard]] Result<File> read();
    [[nodiscard]] Result<Done> replace(const File& former, const QList<StoredProfile>& profiles);
    // reason: a part of the new name.
    [[nodiscard]] Error putAside(const QString& reason, ProfileCause ifItStays) const;
    [[nodiscard]] bool restoreBackup() const;
    [[nodiscard]] QString backupPath() const;

    QString m_path;
};

}  // namespace lockkeeper::profile
