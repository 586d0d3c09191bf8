// SPDX-License-Identifier: Apache-2.0
#include "profile/profileexchange.h"

#include "profile/profilestore.h"
#include "profile/wholefile.h"

#include <QUuid>

#include <algorithm>

namespace lockkeeper::profile {

namespace {

// The profile without what concerns only this user: the time of its last use.
StoredProfile withoutUse(StoredProfile stored) {
    stored.lastUsed.reset();
    return stored;
}

auto findSaved(QList<StoredProfile>& profiles, const ProfileId& id) {
    return std::ranges::find_if(profiles,
                                [&id](const StoredProfile& one) { return one.isSaved() && one.profile.id == id; });
}

bool isSameTarget(const StoredProfile& a, const StoredProfile& b) {
    return a.profile.urlWithoutPassword() == b.profile.urlWithoutPassword() &&
           a.profile.writing.user == b.profile.writing.user && a.profile.dumps == b.profile.dumps;
}

QString freeName(const QString& name, const QList<StoredProfile>& taken) {
    const auto isTaken = [&taken](const QString& wanted) {
        return std::ranges::any_of(
            taken, [&wanted](const StoredProfile& one) { return one.isSaved() && one.label.name == wanted; });
    };
    QString wanted = name;
    for (int i = 2; !wanted.isEmpty() && isTaken(wanted); ++i)
        wanted = QStringLiteral("%1 (%2)").arg(name).arg(i);
    return wanted;
}

// Secrets are stored by the id of a connection, and the id of an unsaved connection is its address. So a file could
// pass the password of such an address to a server of its own.
bool isSafeId(const ProfileId& id, const QList<StoredProfile>& known) {
    const bool isOfSaved = !QUuid::fromString(id.text()).isNull();
    return isOfSaved && std::ranges::none_of(known, [&id](const StoredProfile& one) { return one.profile.id == id; });
}

void addNew(ProfileMerge& merge, StoredProfile stored) {
    if (!isSafeId(stored.profile.id, merge.profiles))
        stored.profile.id = ProfileStore::newId();
    stored.label.name = freeName(stored.label.name, merge.profiles);
    merge.profiles.append(stored);
    ++merge.added;
}

void replaceKnown(ProfileMerge& merge, StoredProfile& known, const StoredProfile& imported) {
    const bool keepsSecrets = isSameTarget(known, imported);
    const std::optional<WallTime> lastUsed = known.lastUsed;
    known = imported;
    known.lastUsed = lastUsed;
    if (!keepsSecrets)
        known.secrets = StoredProfile::Secrets::AskedEachTime;
    ++merge.replaced;
}

}  // namespace

Result<Done> exportProfiles(const QString& path, const QList<StoredProfile>& saved) {
    QList<StoredProfile> exported;
    for (const StoredProfile& stored : saved)
        exported.append(withoutUse(stored));
    return writeWholeFile(path, profileFileBytes(exported));
}

ProfileImport importProfiles(const QString& path) {
    const Result<std::optional<QByteArray>> bytes = readWholeFile(path, largestProfileFile);
    if (!bytes)
        return bytes.error();
    if (!*bytes)
        return Error(ErrorCode::Storage, Cause::NotAFile, {path});
    const ProfileFileContent content = profileFileContent(**bytes);
    if (const auto* fault = std::get_if<ProfileFileFault>(&content))
        return *fault;
    QList<StoredProfile> saved;
    for (const StoredProfile& stored : std::get<QList<StoredProfile>>(content)) {
        if (stored.isSaved())
            saved.append(withoutUse(stored));
    }
    return saved;
}

QList<StoredProfile> conflicting(const QList<StoredProfile>& known, const QList<StoredProfile>& imported) {
    QList<StoredProfile> conflicts;
    QList<StoredProfile> all = known;
    for (const StoredProfile& stored : imported) {
        const auto same = findSaved(all, stored.profile.id);
        if (same != all.end() && withoutUse(*same) != stored)
            conflicts.append(stored);
    }
    return conflicts;
}

ProfileMerge mergedProfiles(const QList<StoredProfile>& known, const QList<StoredProfile>& imported, SameId sameId) {
    ProfileMerge merge;
    merge.profiles = known;
    for (const StoredProfile& stored : imported) {
        const auto same = findSaved(merge.profiles, stored.profile.id);
        if (same == merge.profiles.end()) {
            addNew(merge, stored);
        } else if (withoutUse(*same) != stored && sameId == SameId::Replace) {
            replaceKnown(merge, *same, stored);
        } else if (withoutUse(*same) != stored && sameId == SameId::KeepBoth) {
            addNew(merge, stored);
        }
    }
    return merge;
}

}  // namespace lockkeeper::profile
