// SPDX-License-Identifier: Apache-2.0
#include "profile/aclline.h"

#include <QVersionNumber>

namespace lockkeeper::profile {

namespace {

const auto watchingRights = QStringLiteral(
    "%R~* resetchannels &redisson_lock__channel:* &redisson_rwlock:* -@all +@read +@pubsub -publish -spublish -keys "
    "+eval_ro +evalsha_ro +hello +auth +ping +select +client|id +client|setname +client|tracking +client|no-evict "
    "+client|list +info");
const auto writingRights = QStringLiteral(
    "%RW~* +publish +spublish +eval +evalsha +@hash +@list +@sortedset +set +incr +del +pexpire +time +wait "
    "+client|caching +client|kill");

// Servers refuse a rule about a command that they do not know.
bool knowsNoTouch(const QString& serverVersion) {
    return QVersionNumber::fromString(serverVersion) >= QVersionNumber(7, 2);
}

QStringList watchingParts(const ConnectionProfile& profile, const QString& serverVersion) {
    QStringList parts{watchingRights};
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
    QStringList parts{writingRights};
    if (!profile.deployment.cluster.isEmpty())
        parts << QStringLiteral("+asking");
    return parts;
}

AclLine lineFor(RightsFor use, const QByteArray& user, const QStringList& rights) {
    const QByteArray name = user.isEmpty() ? QByteArray("lockkeeper") : user;
    return {use, name,
            QStringLiteral("ACL SETUSER %1 on >PASSWORD %2").arg(QString::fromUtf8(name), rights.join(QLatin1Char(' ')))};
}

}  // namespace

QList<AclLine> aclLines(const ConnectionProfile& profile, const QString& serverVersion) {
    const QStringList watching = watchingParts(profile, serverVersion);
    const QStringList both = watching + writingParts(profile);
    if (profile.access == redis::AccessMode::ReadOnly)
        return {lineFor(RightsFor::Watching, profile.credentials.user, watching)};
    if (profile.writing.user.isEmpty())
        return {lineFor(RightsFor::Writing, profile.credentials.user, both)};
    return {lineFor(RightsFor::Watching, profile.credentials.user, watching),
            lineFor(RightsFor::Writing, profile.writing.user, both)};
}

}  // namespace lockkeeper::profile
