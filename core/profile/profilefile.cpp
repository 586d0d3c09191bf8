// SPDX-License-Identifier: Apache-2.0
#include "profile/profilefile.h"

#include "base/isotime.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockkeeper::profile {

namespace {

// A change of what the URL of a profile may contain also needs a new version: otherwise an older program would take the
// file for damaged.
// Version 2: URLs of Sentinels, of several hosts and of Clusters, and the options ssh, tls-min and pin.
// Version 3: saved profiles with environment, color, group, note and askForSecrets.
// Version 4: the user of the connection that writes.
// Version 5: the options of locks in URLs, and the database of a Cluster.
// Version 6: how to get a thread dump.
constexpr int currentVersion = 6;
constexpr int firstWithSaved = 3;
constexpr int firstWithWriter = 4;
constexpr int firstWithDumps = 6;

template <typename Value>
struct FileWord {
    QLatin1String word;
    Value value;
};
template <typename Value>
FileWord(QLatin1String, Value) -> FileWord<Value>;

// The first word is left out of the file.
constexpr std::array environmentWords{FileWord{QLatin1String("none"), Environment::None},
                                      FileWord{QLatin1String("development"), Environment::Development},
                                      FileWord{QLatin1String("staging"), Environment::Staging},
                                      FileWord{QLatin1String("production"), Environment::Production}};

constexpr std::array colorWords{FileWord{QLatin1String("environment"), LabelColor::OfEnvironment},
                                FileWord{QLatin1String("grey"), LabelColor::Grey},
                                FileWord{QLatin1String("green"), LabelColor::Green},
                                FileWord{QLatin1String("teal"), LabelColor::Teal},
                                FileWord{QLatin1String("blue"), LabelColor::Blue},
                                FileWord{QLatin1String("purple"), LabelColor::Purple},
                                FileWord{QLatin1String("orange"), LabelColor::Orange},
                                FileWord{QLatin1String("red"), LabelColor::Red}};

constexpr std::array dumpWayWords{
    FileWord{QLatin1String("none"), DumpWay::None}, FileWord{QLatin1String("actuator"), DumpWay::Actuator},
    FileWord{QLatin1String("ssh"), DumpWay::Ssh}, FileWord{QLatin1String("kubectl"), DumpWay::Kubectl}};

// Nothing for an unknown word.
template <typename Value, size_t Count>
std::optional<Value> valueOf(const std::array<FileWord<Value>, Count>& words, const QJsonValue& word) {
    if (word.isUndefined())
        return words.front().value;
    const auto known = std::ranges::find(words, word.toString(), &FileWord<Value>::word);
    return known == words.end() ? std::nullopt : std::optional(known->value);
}

template <typename Value, size_t Count>
QString wordOf(const std::array<FileWord<Value>, Count>& words, Value value) {
    const auto known = std::ranges::find(words, value, &FileWord<Value>::value);
    return known == words.begin() || known == words.end() ? QString() : QString(known->word);
}

}  // namespace

QString wordFor(Environment environment) {
    return wordOf(environmentWords, environment);
}

namespace {

// ---- reading ----

// The fields that all versions have in the same form. Nothing for an entry that Lockkeeper has not written.
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
    stored.profile.credentials.password.clear();  // a file that the user has edited may have one
    stored.profile.access = readOnly.toBool() ? redis::AccessMode::ReadOnly : redis::AccessMode::ReadWrite;
    stored.label.name = entry.value(QLatin1String("name")).toString();
    // Before version 3 only saved profiles had a name.
    stored.keeping = stored.label.name.isEmpty() ? StoredProfile::Keeping::Recent : StoredProfile::Keeping::Saved;
    return stored;
}

std::optional<StoredProfile> profileOfVersion3(const QJsonObject& entry) {
    std::optional<StoredProfile> stored = profileOfVersion1(entry);
    const QJsonValue saved = entry.value(QLatin1String("saved"));
    const QJsonValue asks = entry.value(QLatin1String("askForSecrets"));
    const std::optional environment = valueOf(environmentWords, entry.value(QLatin1String("environment")));
    const std::optional color = valueOf(colorWords, entry.value(QLatin1String("color")));
    if (!stored || !saved.isBool() || !(asks.isBool() || asks.isUndefined()) || !environment || !color)
        return std::nullopt;
    stored->keeping = saved.toBool() ? StoredProfile::Keeping::Saved : StoredProfile::Keeping::Recent;
    stored->secrets = asks.toBool() ? StoredProfile::Secrets::AskedEachTime : StoredProfile::Secrets::InKeychain;
    stored->label.environment = *environment;
    stored->label.color = *color;
    stored->group = entry.value(QLatin1String("group")).toString();
    stored->note = entry.value(QLatin1String("note")).toString();
    return stored;
}

// The password of this user is in the keychain.
std::optional<StoredProfile> profileOfVersion4(const QJsonObject& entry) {
    std::optional<StoredProfile> stored = profileOfVersion3(entry);
    const QJsonValue writer = entry.value(QLatin1String("writingUser"));
    if (!stored || !(writer.isString() || writer.isUndefined()))
        return std::nullopt;
    stored->profile.writing.user = writer.toString().toUtf8();
    return stored;
}

// The password of this user is in the keychain.
std::optional<DumpSettings> dumpsOf(const QJsonObject& entry) {
    const std::optional way = valueOf(dumpWayWords, entry.value(QLatin1String("way")));
    const QJsonValue sudo = entry.value(QLatin1String("sudo"));
    const QJsonValue hosts = entry.value(QLatin1String("hosts"));
    if (!way || !(sudo.isBool() || sudo.isUndefined()) || !(hosts.isArray() || hosts.isUndefined()))
        return std::nullopt;
    DumpSettings dumps;
    dumps.way = *way;
    dumps.url = entry.value(QLatin1String("url")).toString();
    dumps.credentials.user = entry.value(QLatin1String("user")).toString().toUtf8();
    for (const QJsonValue& host : hosts.toArray())
        dumps.hosts += host.toString();
    dumps.login = entry.value(QLatin1String("login")).toString();
    dumps.usesSudo = sudo.toBool();
    dumps.pod = entry.value(QLatin1String("pod")).toString();
    dumps.kubeNamespace = entry.value(QLatin1String("namespace")).toString();
    dumps.container = entry.value(QLatin1String("container")).toString();
    return dumps;
}

std::optional<StoredProfile> profileOfVersion6(const QJsonObject& entry) {
    std::optional<StoredProfile> stored = profileOfVersion4(entry);
    const QJsonValue written = entry.value(QLatin1String("threadDump"));
    const std::optional<DumpSettings> dumps = dumpsOf(written.toObject());
    if (!stored || !(written.isObject() || written.isUndefined()) || !dumps)
        return std::nullopt;
    stored->profile.dumps = *dumps;
    return stored;
}

std::optional<StoredProfile> profileOf(const QJsonObject& entry, int version) {
    if (version < firstWithSaved)
        return profileOfVersion1(entry);
    if (version < firstWithWriter)
        return profileOfVersion3(entry);
    return version < firstWithDumps ? profileOfVersion4(entry) : profileOfVersion6(entry);
}

// ---- writing ----

void addText(QJsonObject& entry, QLatin1String key, const QString& text) {
    if (!text.isEmpty())
        entry.insert(key, text);
}

QJsonObject jsonOf(const DumpSettings& dumps) {
    QJsonObject json;
    addText(json, QLatin1String("way"), wordOf(dumpWayWords, dumps.way));
    addText(json, QLatin1String("url"), dumps.url);
    addText(json, QLatin1String("user"), QString::fromUtf8(dumps.credentials.user));
    if (!dumps.hosts.isEmpty())
        json.insert(QLatin1String("hosts"), QJsonArray::fromStringList(dumps.hosts));
    addText(json, QLatin1String("login"), dumps.login);
    if (dumps.usesSudo)
        json.insert(QLatin1String("sudo"), true);
    addText(json, QLatin1String("pod"), dumps.pod);
    addText(json, QLatin1String("namespace"), dumps.kubeNamespace);
    addText(json, QLatin1String("container"), dumps.container);
    return json;
}

QJsonObject jsonEntry(const StoredProfile& stored) {
    QJsonObject entry{{QStringLiteral("id"), stored.profile.id.text()},
                      {QStringLiteral("url"), stored.profile.urlWithoutPassword()},
                      {QStringLiteral("readOnly"), stored.profile.access == redis::AccessMode::ReadOnly},
                      {QStringLiteral("saved"), stored.isSaved()}};
    if (stored.secrets == StoredProfile::Secrets::AskedEachTime)
        entry.insert(QStringLiteral("askForSecrets"), true);
    addText(entry, QLatin1String("name"), stored.label.name);
    addText(entry, QLatin1String("environment"), wordOf(environmentWords, stored.label.environment));
    addText(entry, QLatin1String("color"), wordOf(colorWords, stored.label.color));
    addText(entry, QLatin1String("group"), stored.group);
    addText(entry, QLatin1String("note"), stored.note);
    addText(entry, QLatin1String("writingUser"), QString::fromUtf8(stored.profile.writing.user));
    if (const QJsonObject dumps = jsonOf(stored.profile.dumps); !dumps.isEmpty())
        entry.insert(QStringLiteral("threadDump"), dumps);
    if (stored.lastUsed)
        entry.insert(QStringLiteral("lastUsed"), isoTime(*stored.lastUsed));
    return entry;
}

}  // namespace

ProfileFileContent profileFileContent(const QByteArray& bytes) {
    if (bytes.size() > largestProfileFile)
        return ProfileFileFault::Damaged;
    const QJsonObject file = QJsonDocument::fromJson(bytes).object();
    const double version = file.value(QLatin1String("version")).toDouble();
    if (version > currentVersion)
        return ProfileFileFault::LaterVersion;
    const QJsonValue entries = file.value(QLatin1String("profiles"));
    const bool isKnown = version >= 1 && version == std::floor(version);
    if (!isKnown || !entries.isArray())
        return ProfileFileFault::Damaged;
    QList<StoredProfile> profiles;
    for (const QJsonValue& entry : entries.toArray()) {
        const std::optional<StoredProfile> profile = profileOf(entry.toObject(), static_cast<int>(version));
        if (!profile)
            return ProfileFileFault::Damaged;
        profiles.append(*profile);
    }
    return profiles;
}

QByteArray profileFileBytes(const QList<StoredProfile>& profiles) {
    QJsonArray entries;
    for (const StoredProfile& stored : profiles)
        entries.append(jsonEntry(stored));
    return QJsonDocument(
               QJsonObject{{QStringLiteral("version"), currentVersion}, {QStringLiteral("profiles"), entries}})
        .toJson();
}

}  // namespace lockkeeper::profile
