// SPDX-License-Identifier: Apache-2.0
#include "profile/aclline.h"

#include "locks/lockkeys.h"
#include "profile/neededcommands.h"

#include <QVersionNumber>

#include <algorithm>

namespace lockkeeper::profile {

namespace {

const auto channelsAndNoMore = QStringLiteral("resetchannels &redisson_lock__channel:* &redisson_rwlock:* -@all");

// Servers refuse a rule about a command that they do not know.
bool knowsNoTouch(const QString& serverVersion) {
    return QVersionNumber::fromString(serverVersion) >= QVersionNumber(7, 2);
}

// Whether a rule may contain the pattern. A rule has no quotation: redis-cli would split it, and the server refuses
// white space in it.
bool fitsRule(const QByteArray& pattern) {
    const bool isPlain = std::none_of(pattern.begin(), pattern.end(), [](char c) {
        const auto byte = static_cast<uchar>(c);
        return byte <= ' ' || byte == 0x7f || c == '"' || c == '\'';
    });
    return isPlain && QString::fromUtf8(pattern).toUtf8() == pattern;
}

QByteArrayList keysOf(const QByteArray& pattern, RightsFor use) {
    QByteArrayList keys = QByteArrayList{pattern} + locks::helperKeyPatterns(pattern);
    if (use == RightsFor::Writing)
        keys += locks::declaredChannelPatterns(pattern);
    return keys;
}

// The rules for the keys of the profile's names only; for all keys if the profile covers every name.
QStringList keyRules(const ConnectionProfile& profile, RightsFor use) {
    const auto rule = use == RightsFor::Writing ? QStringLiteral("%RW~") : QStringLiteral("%R~");
    const QByteArrayList& matches = profile.discovery.matches;
    if (matches.isEmpty() || !std::all_of(matches.begin(), matches.end(), fitsRule))
        return {rule + QLatin1Char('*')};
    QStringList rules;
    for (const QByteArray& pattern : matches) {
        for (const QByteArray& key : keysOf(pattern, use))
            rules << rule + QString::fromUtf8(key);
    }
    rules.removeDuplicates();
    return rules;
}

QStringList rulesFor(std::initializer_list<CommandUse> uses) {
    QStringList rules;
    for (const NeededCommand& command : neededCommands()) {
        if (std::find(uses.begin(), uses.end(), command.use) != uses.end())
            rules << QLatin1Char('+') + QLatin1String(command.name);
    }
    return rules;
}

QStringList watchingParts(const ConnectionProfile& profile, const QString& serverVersion) {
    QStringList parts = QStringList{channelsAndNoMore} + rulesFor({CommandUse::Watching, CommandUse::Always});
    const topology::Deployment& deployment = profile.deployment;
    if (knowsNoTouch(serverVersion))
        parts << QStringLiteral("+client|no-touch");
    if (deployment.sentinels || !deployment.servers.isEmpty())
        parts << QStringLiteral("+role");
    if (!deployment.cluster.isEmpty())
        parts << QStringLiteral("+role +cluster|shards +cluster|slots +cluster|info");
    if (!profile.discovery.prefixes.isEmpty())
        parts << QStringLiteral("+config|get");
    return parts;
}

QStringList writingParts(const ConnectionProfile& profile) {
    QStringList parts = rulesFor({CommandUse::Writing});
    if (!profile.deployment.cluster.isEmpty())
        parts += rulesFor({CommandUse::WritingInCluster});
    return parts;
}

AclLine lineFor(RightsFor use, const QByteArray& user, QStringList rights) {
    rights.removeDuplicates();
    const QByteArray name = user.isEmpty() ? QByteArray("lockkeeper") : user;
    return {
        use, name,
        QStringLiteral("ACL SETUSER %1 on >PASSWORD %2").arg(QString::fromUtf8(name), rights.join(QLatin1Char(' ')))};
}

}  // namespace

QList<AclLine> aclLines(const ConnectionProfile& profile, const QString& serverVersion) {
    const QStringList watching = watchingParts(profile, serverVersion);
    const AclLine watches =
        lineFor(RightsFor::Watching, profile.credentials.user, keyRules(profile, RightsFor::Watching) + watching);
    if (profile.access == redis::AccessMode::ReadOnly)
        return {watches};
    const bool isOther = !profile.writing.user.isEmpty();
    const AclLine writes = lineFor(RightsFor::Writing, isOther ? profile.writing.user : profile.credentials.user,
                                   keyRules(profile, RightsFor::Writing) + watching + writingParts(profile));
    return isOther ? QList<AclLine>{watches, writes} : QList<AclLine>{writes};
}

}  // namespace lockkeeper::profile
