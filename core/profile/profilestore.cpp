// SPDX-License-Identifier: Apache-2.0
#include "profile/profilestore.h"

#include "base/isotime.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>
#include <variant>

namespace lockkeeper::profile {

namespace {

// A change in what the URL of a profile may have is a new version, too: this one would take the file for damaged.
// Version 2: URLs of Sentinels, of several hosts and of Clusters, and the options ssh, tls-min and pin.
constexpr int currentVersion = 2;

enum class Fault { Damaged, LaterVersion };
using Content = std::variant<QList<StoredProfile>, Fault>;

// ---- JSON ----

// Nothing for an entry that this version has not written.
std::optional<StoredProfile> profileOfVersion1(const QJsonObject& entry) {
    const ProfileId id(entry.value(QLatin1String("id")).toString());
    const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(entry.value(QLatin1String("url")).toString());
    const QJsonValue readOnly = entry.value(QLatin1String("readOnly"));
    const QJsonValue lastUsed = entry.value(QLatin1String("lastUsed"));
    StoredProfile stored;
    stored.lastUsed = timeFromIso(lastUsed.toString());
    const bool isTimeWrong = !stored.lastUsed && !lastUsed.isUndefined();
    if (id.isEmpty() || !profile || !readOnly.isBool() || isTimeWrong)
        return std::nullopt;
    stored.profile = *profile;
    stored.profile.id = id;
    stored.profile.credentials.password.clear();  // in a file that the user has edited
    stored.profile.access = readOnly.toBool() ? redis::AccessMode::ReadOnly : redis::AccessMode::ReadWrite;
    stored.name = entry.value(QLatin1String("name")).toString();
    return stored;
}

Content contentOfVersion1(const QJsonObject& file) {
    const QJsonValue entries = file.value(QLatin1String("profiles"));
    if (!entries.isArray())
        return Fault::Damaged;
    QList<StoredProfile> profiles;
    for (const QJsonValue& entry : entries.toArray()) {
        const std::optional<StoredProfile> profile = profileOfVersion1(entry.toObject());
        if (!profile)
            return Fault::Damaged;
        profiles.append(*profile);
    }
    return profiles;
}

// Whatever version 1 has, version 2 has in the same form.
Content contentOf(const QByteArray& bytes) {
    if (bytes.size() > ProfileStore::largestFile)
        return Fault::Damaged;
    const QJsonObject file = QJsonDocument::fromJson(bytes).object();
    const double version = file.value(QLatin1String("version")).toDouble();
    if (version > currentVersion)
        return Fault::LaterVersion;
    return version == 1 || version == currentVersion ? contentOfVersion1(file) : Fault::Damaged;
}

QJsonObject jsonEntry(const StoredProfile& stored) {
    QJsonObject entry{{QStringLiteral("id"), stored.profile.id.text()},
                      {QStringLiteral("url"), stored.profile.urlWithoutPassword()},
                      {QStringLiteral("readOnly"), stored.profile.access == redis::AccessMode::ReadOnly}};
    if (!stored.name.isEmpty())
        entry.insert(QStringLiteral("name"), stored.name);
    if (stored.lastUsed)
        entry.insert(QStringLiteral("lastUsed"), isoTime(*stored.lastUsed));
    return entry;
}

QByteArray bytesOf(const QList<StoredProfile>& profiles) {
    QJsonArray entries;
    for (const StoredProfile& stored : profiles)
        entries.append(jsonEntry(stored));
    return QJsonDocument(
               QJsonObject{{QStringLiteral("version"), currentVersion}, {QStringLiteral("profiles"), entries}})
        .toJson();
}

// ---- files ----

// Nothing if there is no file. At most one byte more than a file may have.
Result<std::optional<QByteArray>> readFile(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists())
        return std::optional<QByteArray>();
    if (!info.isFile())
        return Error(ErrorCode::Storage, Cause::NotAFile, {path});
    QFile file(path);
    if (file.open(QIODevice::ReadOnly)) {
        const QByteArray bytes = file.read(ProfileStore::largestFile + 1);
        if (file.error() == QFileDevice::NoError)
            return std::optional(bytes);
    }
    return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
}

Result<Done> writeFile(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    // flush(): before Qt 6.5 commit() does not notice that the last bytes could not be written.
    // Permissions before the content: without this, the file would have the permissions of the one that it replaces.
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                         file.write(bytes) == bytes.size() && file.flush() && file.commit();
    if (written)
        return Done();
    return Error(ErrorCode::Storage, Cause::FileNotWritten, {path, file.errorString()});
}

bool hasId(const StoredProfile& stored, const ProfileId& id) {
    return stored.profile.id == id;
}

}  // namespace

struct ProfileStore::File {
    QByteArray bytes;  // empty: there is no file
    QList<StoredProfile> profiles;
};

ProfileStore::ProfileStore(QString path) : m_path(std::move(path)) {}

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
    StoredProfile stored{profile, QString(), now};
    const auto known = std::find_if(profiles.cbegin(), profiles.cend(),
                                    [&profile](const StoredProfile& one) { return hasId(one, profile.id); });
    if (known != profiles.cend()) {
        stored.name = known->name;
        profiles.erase(known);
    }
    profiles.prepend(stored);
    return replace(*former, profiles.mid(0, mostRemembered));
}

Result<Done> ProfileStore::forget(const ProfileId& id) {
    const Result<File> former = read();
    if (!former)
        return former.error();
    QList<StoredProfile> profiles = former->profiles;
    const auto removed = profiles.removeIf([&id](const StoredProfile& one) { return hasId(one, id); });
    return removed > 0 ? replace(*former, profiles) : Result<Done>(Done());
}

Result<ProfileStore::File> ProfileStore::read() {
    const Result<std::optional<QByteArray>> bytes = readFile(m_path);
    if (!bytes)
        return bytes.error();
    if (!*bytes)
        return File();
    const Content content = contentOf(**bytes);
    if (const auto* profiles = std::get_if<QList<StoredProfile>>(&content))
        return File{**bytes, *profiles};
    if (std::get<Fault>(content) == Fault::Damaged)
        return putAside(QStringLiteral("damaged"), Cause::DamagedNotRenamed);
    return putAside(QStringLiteral("later-version"), Cause::LaterVersionNotRenamed);
}

Result<Done> ProfileStore::replace(const File& former, const QList<StoredProfile>& profiles) {
    const QByteArray bytes = bytesOf(profiles);
    if (std::holds_alternative<Fault>(contentOf(bytes)))
        return Error(ErrorCode::InvalidArgument, Cause::ProfilesNotReadable);
    if (!former.bytes.isEmpty()) {
        if (const Result<Done> kept = writeFile(backupPath(), former.bytes); !kept)
            return kept;
    }
    return writeFile(m_path, bytes);
}

Error ProfileStore::putAside(const QString& reason, Cause ifItStays) const {
    const QString now = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    const QString aside = QStringLiteral("%1.%2-%3").arg(m_path, reason, now);
    if (!QFile::rename(m_path, aside))
        return Error(ErrorCode::Storage, ifItStays, {m_path});
    return Error(ErrorCode::Storage, restoreBackup() ? Cause::BackupRestored : Cause::FileRenamed, {m_path, aside});
}

bool ProfileStore::restoreBackup() const {
    const Result<std::optional<QByteArray>> backup = readFile(backupPath());
    return backup && *backup && std::holds_alternative<QList<StoredProfile>>(contentOf(**backup)) &&
           writeFile(m_path, **backup).ok();
}

QString ProfileStore::backupPath() const {
    return m_path + QStringLiteral(".bak");
}

}  // namespace lockkeeper::profile
