// SPDX-License-Identifier: Apache-2.0
#include "profile/profilestore.h"

#include "profile/profilecause.h"
#include "profile/profilefile.h"
#include "profile/wholefile.h"

#include <QDateTime>
#include <QFile>
#include <QUuid>

#include <algorithm>
#include <variant>

namespace lockkeeper::profile {

namespace {

const ProfileId& idOf(const StoredProfile& stored) {
    return stored.profile.id;
}

// The profiles without the oldest of the recent ones.
QList<StoredProfile> withoutOldest(const QList<StoredProfile>& profiles) {
    QList<StoredProfile> kept;
    qsizetype recent = 0;
    for (const StoredProfile& stored : profiles) {
        if (stored.isSaved() || ++recent <= ProfileStore::mostRemembered)
            kept.append(stored);
    }
    return kept;
}

}  // namespace

struct ProfileStore::File {
    QByteArray bytes;  // empty: there is no file
    QList<StoredProfile> profiles;
};

ProfileStore::ProfileStore(QString path) : m_path(std::move(path)) {}

ProfileId ProfileStore::newId() {
    return ProfileId(QUuid::createUuid().toString(QUuid::WithoutBraces));
}

Result<QList<StoredProfile>> ProfileStore::load() {
    const Result<File> file = read();
    return file ? Result<QList<StoredProfile>>(file->profiles) : file.error();
}

Result<Done> ProfileStore::save(const QList<StoredProfile>& profiles) {
    const Result<File> former = read();
    return former ? replace(*former, profiles) : former.error();
}

Result<Done> ProfileStore::remember(const ConnectionProfile& profile, WallTime now) {
    const Result<File> former = read();
    if (!former)
        return former.error();
    QList<StoredProfile> profiles = former->profiles;
    const auto known = std::ranges::find(profiles, profile.id, idOf);
    if (known != profiles.end() && known->isSaved()) {
        known->lastUsed = now;
        return replace(*former, profiles);
    }
    if (known != profiles.end())
        profiles.erase(known);
    StoredProfile recent;
    recent.profile = profile;
    recent.lastUsed = now;
    profiles.prepend(recent);
    return replace(*former, withoutOldest(profiles));
}

Result<Done> ProfileStore::keep(const StoredProfile& stored) {
    const Result<File> former = read();
    if (!former)
        return former.error();
    QList<StoredProfile> profiles = former->profiles;
    const auto known = std::ranges::find(profiles, stored.profile.id, idOf);
    if (known == profiles.end())
        profiles.append(stored);
    else
        *known = stored;
    return replace(*former, profiles);
}

Result<Done> ProfileStore::forget(const ProfileId& id) {
    const Result<File> former = read();
    if (!former)
        return former.error();
    QList<StoredProfile> profiles = former->profiles;
    const auto removed = profiles.removeIf([&id](const StoredProfile& one) { return one.profile.id == id; });
    return removed > 0 ? replace(*former, profiles) : Result<Done>(Done());
}

Result<ProfileStore::File> ProfileStore::read() {
    const Result<std::optional<QByteArray>> bytes = readWholeFile(m_path, largestProfileFile);
    if (!bytes)
        return bytes.error();
    if (!*bytes)
        return File();
    const ProfileFileContent content = profileFileContent(**bytes);
    if (const auto* profiles = std::get_if<QList<StoredProfile>>(&content))
        return File{**bytes, *profiles};
    if (std::get<ProfileFileFault>(content) == ProfileFileFault::Damaged)
        return putAside(QStringLiteral("damaged"), ProfileCause::DamagedNotRenamed);
    return putAside(QStringLiteral("later-version"), ProfileCause::LaterVersionNotRenamed);
}

Result<Done> ProfileStore::replace(const File& former, const QList<StoredProfile>& profiles) {
    const QByteArray bytes = profileFileBytes(profiles);
    if (std::holds_alternative<ProfileFileFault>(profileFileContent(bytes)))
        return Error(ErrorCode::InvalidArgument, ProfileCause::ProfilesNotReadable);
    if (!former.bytes.isEmpty()) {
        if (const Result<Done> kept = writeWholeFile(backupPath(), former.bytes); !kept)
            return kept;
    }
    return writeWholeFile(m_path, bytes);
}

Error ProfileStore::putAside(const QString& reason, ProfileCause ifItStays) const {
    const QString now = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    const QString aside = QStringLiteral("%1.%2-%3").arg(m_path, reason, now);
    if (!QFile::rename(m_path, aside))
        return Error(ErrorCode::Storage, ifItStays, {m_path});
    return Error(ErrorCode::Storage, restoreBackup() ? ProfileCause::BackupRestored : ProfileCause::FileRenamed,
                 {m_path, aside});
}

bool ProfileStore::restoreBackup() const {
    const Result<std::optional<QByteArray>> backup = readWholeFile(backupPath(), largestProfileFile);
    return backup && *backup && std::holds_alternative<QList<StoredProfile>>(profileFileContent(**backup)) &&
           writeWholeFile(m_path, **backup).ok();
}

QString ProfileStore::backupPath() const {
    return m_path + QStringLiteral(".bak");
}

}  // namespace lockkeeper::profile
