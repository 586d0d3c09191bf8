// SPDX-License-Identifier: Apache-2.0
#include "profile/urloptions.h"

#include "base/exacttext.h"
#include "profile/urlcause.h"

#include <QRegularExpression>
#include <QUrl>
#include <QVersionNumber>

#include <array>

namespace lockkeeper::profile::url {

namespace {

using topology::Address;

const QLatin1String ofSentinels("sentinel-");
const QString example = QStringLiteral("redis://host:6379/0");

// The text with a byte order mark at the start, too, which QString::fromUtf8() would remove.
QString textOf(const QByteArray& bytes) {
    return decodedUtf8(bytes).value_or(QString::fromUtf8(bytes));
}

// False if the key is not an option of discovery.
Result<bool> applyDiscovery(const QString& key, const QByteArray& value, DiscoverySettings& discovery) {
    if (key == QLatin1String("match")) {
        discovery.matches += value;
    } else if (key == QLatin1String("prefix")) {
        discovery.prefixes += value;
    } else if (key == QLatin1String("semaphores")) {
        discovery.semaphores += value;
    } else if (key == QLatin1String("share")) {
        bool ok = false;
        discovery.serverShare = value.toInt(&ok);
        if (!ok || discovery.serverShare < 1 || discovery.serverShare > 100)
            return invalid(UrlCause::Share);
    } else {
        return false;
    }
    if (value.isEmpty())
        return invalid(UrlCause::OptionEmpty, {key});
    return true;
}

void addDiscovery(const DiscoverySettings& discovery, QUrlQuery& query) {
    for (const QByteArray& pattern : discovery.matches)
        query.addQueryItem(QStringLiteral("match"), encoded(pattern));
    for (const QByteArray& prefix : discovery.prefixes)
        query.addQueryItem(QStringLiteral("prefix"), encoded(prefix));
    for (const QByteArray& pattern : discovery.semaphores)
        query.addQueryItem(QStringLiteral("semaphores"), encoded(pattern));
    if (discovery.serverShare != DiscoverySettings().serverShare)
        query.addQueryItem(QStringLiteral("share"), QString::number(discovery.serverShare));
}

// Hexadecimal digits, or pairs of them with colons between, as openssl prints them.
std::optional<QByteArray> fingerprintOf(QString text) {
    text.remove(QLatin1Char(':'));
    static const QRegularExpression digits(QStringLiteral("^[0-9a-fA-F]{64}$"));
    return digits.match(text).hasMatch() ? std::optional(QByteArray::fromHex(text.toLatin1())) : std::nullopt;
}

// False if the key is neither tls-min nor pin.
Result<bool> applyTlsLimits(const QString& key, const QString& value, redis::Endpoint& endpoint) {
    if (key == QLatin1String("pin")) {
        const std::optional<QByteArray> fingerprint = fingerprintOf(value);
        if (!fingerprint)
            return invalid(UrlCause::Fingerprint);
        endpoint.pinned += *fingerprint;
        return true;
    }
    if (key != QLatin1String("tls-min"))
        return false;
    if (value != QLatin1String("1.2") && value != QLatin1String("1.3"))
        return invalid(UrlCause::TlsVersion);
    endpoint.leastTls = value == QLatin1String("1.3") ? redis::TlsVersion::Tls13 : redis::TlsVersion::Tls12;
    return true;
}

// False if the key is not an option of TLS.
Result<bool> applyTls(const QString& key, const QString& value, redis::Endpoint& endpoint) {
    if (endpoint.security != redis::Security::Tls)
        return false;
    if (key == QLatin1String("ca"))
        endpoint.caFile = value;
    else if (key == QLatin1String("cert"))
        endpoint.certificateFile = value;
    else if (key == QLatin1String("key"))
        endpoint.privateKeyFile = value;
    else if (key == QLatin1String("sni"))
        endpoint.serverName = value;
    else
        return applyTlsLimits(key, value, endpoint);
    return true;
}

// A mapping without ports on both sides is for all ports of the host.
std::optional<Error> addMapping(const QString& text, topology::AddressMap& addresses) {
    const qsizetype sign = text.indexOf(QLatin1Char('='));
    const QString seenText = text.left(sign);
    const QString reachableText = text.mid(sign + 1);
    std::optional<Address> seen = Address::parseHost(seenText);
    std::optional<Address> reachable = Address::parseHost(reachableText);
    if (!seen || !reachable) {
        seen = Address::parse(seenText, serverPort);
        reachable = Address::parse(reachableText, serverPort);
    }
    if (sign < 0 || !seen || !reachable)
        return invalid(UrlCause::AddressMap);
    addresses.insert(*seen, *reachable);
    return std::nullopt;
}

Result<bool> applyPublishing(const QString& value, topology::Deployment& deployment) {
    if (value != QLatin1String("sharded"))
        return invalid(UrlCause::OptionUnknown, {QStringLiteral("publish=%1").arg(value)});
    deployment.publishing = redis::Publishing::Sharded;
    return true;
}

// key: an option for the Sentinels, without its prefix. Any option of TLS gives the Sentinels settings of their own.
// False if the key is not such an option.
Result<bool> applySentinel(const QString& key, const QString& value, topology::SentinelGroup& group) {
    if (key == QLatin1String("user")) {
        group.credentials.user = value.toUtf8();
        return true;
    }
    const bool isSwitch = key == QLatin1String("tls");
    if (isSwitch && value != QLatin1String("yes") && value != QLatin1String("no"))
        return invalid(UrlCause::OptionUnknown, {QStringLiteral("sentinel-tls=%1").arg(value)});
    redis::Endpoint own = group.tls.value_or(redis::Endpoint());
    if (!group.tls)
        own.security = redis::Security::Tls;
    if (isSwitch)
        own.security = value == QLatin1String("yes") ? redis::Security::Tls : redis::Security::Plain;
    const Result<bool> applied = isSwitch ? Result<bool>(true) : applyTls(key, value, own);
    if (applied && *applied)
        group.tls = own;
    return applied;
}

// False if the key is not an option of a deployment.
Result<bool> applyDeployment(const QString& key, const QString& value, topology::Deployment& deployment) {
    if (key == QLatin1String("ssh")) {
        deployment.ssh = topology::JumpHost::parse(value);
        return deployment.ssh ? Result<bool>(true) : invalid(UrlCause::Ssh);
    }
    const bool announcesAddresses =
        deployment.sentinels || !deployment.servers.isEmpty() || !deployment.cluster.isEmpty();
    if (deployment.sentinels && key.startsWith(ofSentinels))
        return applySentinel(key.mid(ofSentinels.size()), value, *deployment.sentinels);
    if (!deployment.cluster.isEmpty() && key == QLatin1String("publish"))
        return applyPublishing(value, deployment);
    if (!announcesAddresses || key != QLatin1String("map"))
        return false;
    if (const std::optional<Error> error = addMapping(value, deployment.addresses))
        return *error;
    return true;
}

// ---- locks ----

const QLatin1String watchdogOption("watchdog");
const QLatin1String fairWaitOption("fair-wait");
const QLatin1String namePrefixOption("name-prefix");
const QLatin1String nameSuffixOption("name-suffix");
const QLatin1String redissonOption("redisson");
const QLatin1String awaitReplicasOption("await-replicas");
const QLatin1String replicaTimeoutOption("replica-timeout");
const QLatin1String yes("yes");
const QLatin1String no("no");

QString secondsText(Milliseconds time) {
    return QString::number(static_cast<double>(time.count()) / 1000, 'g', 12);
}

Result<bool> takeSeconds(const QString& key, const QString& value, Milliseconds least,
                         std::optional<Milliseconds>& time) {
    bool ok = false;
    const double seconds = value.toDouble(&ok);
    const double most = static_cast<double>(LockSettings::longest.count()) / 1000;
    if (!ok || !(seconds >= static_cast<double>(least.count()) / 1000 && seconds <= most))
        return invalid(UrlCause::Seconds, {key, secondsText(least)});
    time = Milliseconds(qRound64(seconds * 1000));
    return true;
}

// Before 3.52 the queue of a fair lock has the name without its prefix and suffix.
Result<bool> takeRedissonVersion(const QString& value, locks::NameMapper& names) {
    const QVersionNumber version = QVersionNumber::fromString(value);
    if (version.segmentCount() < 2)
        return invalid(UrlCause::RedissonVersion);
    using FairQueue = locks::NameMapper::FairQueue;
    names.fairQueue = version < QVersionNumber(3, 52) ? FairQueue::NotMapped : FairQueue::Mapped;
    return true;
}

// False if the key is not an option of locks.
Result<bool> applyLocks(const QString& key, const QByteArray& bytes, LockSettings& locks) {
    const QString value = textOf(bytes);
    if (key == watchdogOption)
        return takeSeconds(key, value, LockSettings::shortestLease, locks.watchdogTimeout);
    if (key == fairWaitOption)
        return takeSeconds(key, value, LockSettings::shortestLease, locks.fairWait);
    if (key == replicaTimeoutOption)
        return takeSeconds(key, value, Milliseconds(1), locks.replicaTimeout);
    if (key == redissonOption)
        return takeRedissonVersion(value, locks.names);
    if (key == awaitReplicasOption) {
        if (value != yes && value != no)
            return invalid(UrlCause::YesNo, {key});
        locks.awaitsReplicas = value == yes;
        return true;
    }
    if (key != namePrefixOption && key != nameSuffixOption)
        return false;
    if (bytes.isEmpty())
        return invalid(UrlCause::OptionEmpty, {key});
    (key == namePrefixOption ? locks.names.prefix : locks.names.suffix) = bytes;
    return true;
}

// ---- back to text ----

void addLocks(const LockSettings& locks, QUrlQuery& query) {
    const auto addSeconds = [&query](QLatin1String key, const std::optional<Milliseconds>& time) {
        if (time)
            query.addQueryItem(key, secondsText(*time));
    };
    addSeconds(watchdogOption, locks.watchdogTimeout);
    addSeconds(fairWaitOption, locks.fairWait);
    if (!locks.names.prefix.isEmpty())
        query.addQueryItem(namePrefixOption, encoded(locks.names.prefix, ":"));
    if (!locks.names.suffix.isEmpty())
        query.addQueryItem(nameSuffixOption, encoded(locks.names.suffix, ":"));
    if (locks.names.fairQueue == locks::NameMapper::FairQueue::NotMapped)
        query.addQueryItem(redissonOption, QStringLiteral("3.51"));
    if (locks.awaitsReplicas)
        query.addQueryItem(awaitReplicasOption, *locks.awaitsReplicas ? yes : no);
    addSeconds(replicaTimeoutOption, locks.replicaTimeout);
}

void addTls(const redis::Endpoint& endpoint, const QString& prefix, QUrlQuery& query) {
    const std::array<std::pair<const char*, QString>, 4> options{{{"ca", endpoint.caFile},
                                                                  {"cert", endpoint.certificateFile},
                                                                  {"key", endpoint.privateKeyFile},
                                                                  {"sni", endpoint.serverName}}};
    for (const auto& [key, value] : options) {
        if (!value.isEmpty())
            query.addQueryItem(prefix + QLatin1String(key), encoded(value.toUtf8(), "/"));
    }
    if (endpoint.leastTls == redis::TlsVersion::Tls13)
        query.addQueryItem(prefix + QLatin1String("tls-min"), QStringLiteral("1.3"));
    for (const QByteArray& fingerprint : endpoint.pinned)
        query.addQueryItem(prefix + QLatin1String("pin"), QString::fromLatin1(fingerprint.toHex()));
}

void addSentinels(const topology::SentinelGroup& group, QUrlQuery& query) {
    if (!group.credentials.user.isEmpty())
        query.addQueryItem(QStringLiteral("sentinel-user"), encoded(group.credentials.user));
    if (!group.tls)
        return;
    const bool isTls = group.tls->security == redis::Security::Tls;
    query.addQueryItem(QStringLiteral("sentinel-tls"), isTls ? QStringLiteral("yes") : QStringLiteral("no"));
    if (isTls)
        addTls(*group.tls, ofSentinels, query);
}

void addDeployment(const topology::Deployment& deployment, QUrlQuery& query) {
    if (deployment.sentinels)
        addSentinels(*deployment.sentinels, query);
    if (deployment.publishing == redis::Publishing::Sharded)
        query.addQueryItem(QStringLiteral("publish"), QStringLiteral("sharded"));
    QStringList mapped;
    for (auto address = deployment.addresses.constBegin(); address != deployment.addresses.constEnd(); ++address)
        mapped += QStringLiteral("%1=%2").arg(address.key().display(), address->display());
    mapped.sort();
    for (const QString& item : mapped)
        query.addQueryItem(QStringLiteral("map"), encoded(item.toUtf8(), ":[]="));
    if (deployment.ssh)
        query.addQueryItem(QStringLiteral("ssh"), encoded(deployment.ssh->display().toUtf8(), "@:[]"));
}

}  // namespace

Error invalid(const AnyCause& cause, const QStringList& arguments) {
    Error error(ErrorCode::InvalidArgument, cause, arguments);
    error.text += QStringLiteral("; expected for example %1").arg(example);
    return error;
}

QString encoded(const QByteArray& text, const QByteArray& unchanged) {
    return QString::fromLatin1(text.toPercentEncoding(unchanged));
}

std::optional<int> databaseNumber(QStringView text) {
    if (text.isEmpty())
        return 0;
    bool ok = false;
    const int number = text.toInt(&ok);
    return ok && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<Error> readOptions(const QUrl& url, ConnectionProfile& profile) {
    for (const auto& [encodedKey, encodedValue] : QUrlQuery(url).queryItems(QUrl::FullyEncoded)) {
        const QString key = QUrl::fromPercentEncoding(encodedKey.toLatin1());
        const QByteArray bytes = QByteArray::fromPercentEncoding(encodedValue.toLatin1());
        const QString value = textOf(bytes);
        if (key == QLatin1String("db")) {
            const std::optional<int> number = databaseNumber(value);
            if (!number)
                return invalid(UrlCause::Database);
            profile.database = *number;
        } else {
            Result<bool> applied = applyTls(key, value, profile.endpoint);
            if (applied && !*applied)
                applied = applyDeployment(key, value, profile.deployment);
            if (applied && !*applied)
                applied = applyDiscovery(key, bytes, profile.discovery);
            if (applied && !*applied)
                applied = applyLocks(key, bytes, profile.locks);
            if (!applied)
                return applied.error();
            if (!*applied)
                return invalid(UrlCause::OptionUnknown, {key});
        }
    }
    if (profile.deployment.ssh && !profile.endpoint.unixPath.isEmpty())
        return invalid(Cause::SshUnixPath);
    return std::nullopt;
}

QUrlQuery optionsOf(const ConnectionProfile& profile) {
    QUrlQuery query;
    if (profile.endpoint.unixPath.isEmpty())
        addTls(profile.endpoint, {}, query);
    else if (profile.database != 0)
        query.addQueryItem(QStringLiteral("db"), QString::number(profile.database));
    addDeployment(profile.deployment, query);
    addDiscovery(profile.discovery, query);
    addLocks(profile.locks, query);
    return query;
}

}  // namespace lockkeeper::profile::url
