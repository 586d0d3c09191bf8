// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"

#include "profile/urlcause.h"
#include "profile/urloptions.h"

#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <array>

namespace lockkeeper::profile {

namespace {

using topology::Address;
using url::databaseNumber;
using url::encoded;
using url::invalid;
using url::serverPort;

enum class SchemeKind { Tcp, Unix, Sentinel, Cluster };

struct Scheme {
    QLatin1String name;
    SchemeKind kind;
    redis::Security security = redis::Security::Plain;
};

constexpr std::array schemes{Scheme{QLatin1String("redis"), SchemeKind::Tcp},
                             Scheme{QLatin1String("valkey"), SchemeKind::Tcp},
                             Scheme{QLatin1String("rediss"), SchemeKind::Tcp, redis::Security::Tls},
                             Scheme{QLatin1String("valkeys"), SchemeKind::Tcp, redis::Security::Tls},
                             Scheme{QLatin1String("redis+unix"), SchemeKind::Unix},
                             Scheme{QLatin1String("unix"), SchemeKind::Unix},
                             Scheme{QLatin1String("redis-sentinel"), SchemeKind::Sentinel},
                             Scheme{QLatin1String("rediss-sentinel"), SchemeKind::Sentinel, redis::Security::Tls},
                             Scheme{QLatin1String("redis-cluster"), SchemeKind::Cluster},
                             Scheme{QLatin1String("rediss-cluster"), SchemeKind::Cluster, redis::Security::Tls}};

constexpr quint16 sentinelPort = 26379;

const Scheme* schemeNamed(const QString& name) {
    const auto known = std::ranges::find(schemes, name, &Scheme::name);
    return known == schemes.end() ? nullptr : &*known;
}

std::optional<Error> readAddresses(const QStringList& hosts, quint16 usualPort, QList<Address>& addresses) {
    for (const QString& host : hosts) {
        const std::optional<Address> address = Address::parse(host, usualPort);
        if (!address)
            return invalid(UrlCause::HostList);
        addresses += *address;
    }
    return std::nullopt;
}

// Several hosts are a master and its replicas.
std::optional<Error> applyTcp(const QUrl& url, const QStringList& hosts, ConnectionProfile& profile) {
    if (url.host().isEmpty())
        return invalid(UrlCause::HostMissing);
    const std::optional<int> number = databaseNumber(QStringView(url.path()).mid(1));
    if (!number)
        return invalid(UrlCause::PathDatabase);
    profile.database = *number;
    if (hosts.size() == 1) {
        profile.endpoint.host = url.host();
        profile.endpoint.port = static_cast<quint16>(url.port(serverPort));
        return std::nullopt;
    }
    profile.endpoint.host.clear();
    return readAddresses(hosts, serverPort, profile.deployment.servers);
}

std::optional<Error> applyUnix(const QUrl& url, ConnectionProfile& profile) {
    if (!url.host().isEmpty() || url.path().isEmpty())
        return invalid(UrlCause::UnixPath);
    profile.endpoint.unixPath = url.path(QUrl::FullyDecoded);
    return std::nullopt;
}

// The path is /MASTER or /MASTER/DATABASE.
std::optional<Error> applySentinel(const QUrl& url, const QStringList& hosts, ConnectionProfile& profile) {
    topology::SentinelGroup group;
    if (const std::optional<Error> error = readAddresses(hosts, sentinelPort, group.sentinels))
        return error;
    const QStringList path = url.path(QUrl::FullyEncoded).split(QLatin1Char('/'));
    group.masterName = QByteArray::fromPercentEncoding(path.value(1).toLatin1());
    if (group.masterName.isEmpty() || path.size() > 3)
        return invalid(UrlCause::MasterMissing);
    const std::optional<int> number = databaseNumber(path.value(2));
    if (!number)
        return invalid(UrlCause::PathDatabase);
    profile.database = *number;
    profile.endpoint.host.clear();
    profile.deployment.sentinels = group;
    return std::nullopt;
}

std::optional<Error> applyCluster(const QUrl& url, const QStringList& hosts, ConnectionProfile& profile) {
    const std::optional<int> number = databaseNumber(QStringView(url.path()).mid(1));
    if (!number)
        return invalid(UrlCause::ClusterPath);
    profile.database = *number;
    profile.endpoint.host.clear();
    return readAddresses(hosts, serverPort, profile.deployment.cluster);
}

// QUrl reads a single host. So the list of hosts is taken out of the URL, and only the first host is left in it.
struct UrlWithHosts {
    QString url;
    QStringList hosts;
};

UrlWithHosts takeHosts(const QString& text) {
    const qsizetype authority = text.indexOf(QLatin1String("://")) + 3;
    static const QRegularExpression authorityEnd(QStringLiteral("[/?#]"));
    const qsizetype foundEnd = text.indexOf(authorityEnd, authority);
    const qsizetype end = foundEnd < 0 ? text.size() : foundEnd;
    const qsizetype at = text.lastIndexOf(QLatin1Char('@'), end - 1);
    const qsizetype begin = at < authority ? authority : at + 1;
    const QStringList hosts = text.mid(begin, end - begin).split(QLatin1Char(','));
    return {text.left(begin) + hosts.front() + text.mid(end), hosts};
}

std::optional<Error> applyAddress(const QUrl& url, const QStringList& hosts, SchemeKind kind,
                                  ConnectionProfile& profile) {
    switch (kind) {
        case SchemeKind::Tcp:
            return applyTcp(url, hosts, profile);
        case SchemeKind::Unix:
            return applyUnix(url, profile);
        case SchemeKind::Sentinel:
            return applySentinel(url, hosts, profile);
        case SchemeKind::Cluster:
            return applyCluster(url, hosts, profile);
    }
    Q_UNREACHABLE();
}

QString withScheme(const QString& text) {
    if (text.startsWith(QLatin1Char('/')))
        return QLatin1String("unix://") + QString::fromLatin1(QUrl::toPercentEncoding(text, "/"));
    return text.contains(QLatin1String("://")) ? text : QLatin1String("redis://") + text;
}

// ---- back to text ----

// Sorted, because any order names the same servers.
QString addressesText(const QList<Address>& addresses) {
    QStringList hosts;
    for (const Address& address : addresses)
        hosts += address.display();
    hosts.sort();
    return hosts.join(QLatin1Char(','));
}

// The zone of an IPv6 address, as fe80::1%eth0, is behind an encoded character in a URL.
QString withEncodedZones(QString addresses) {
    return addresses.replace(QLatin1Char('%'), QLatin1String("%25"));
}

// "host:port", "host:port,host:port", "host:port,host:port/master" or the path of a socket.
QString serversText(const ConnectionProfile& profile) {
    const topology::Deployment& deployment = profile.deployment;
    if (deployment.sentinels)
        return addressesText(deployment.sentinels->sentinels) + QLatin1Char('/') +
               encoded(deployment.sentinels->masterName);
    if (!deployment.cluster.isEmpty())
        return addressesText(deployment.cluster);
    return deployment.servers.isEmpty() ? profile.endpoint.display() : addressesText(deployment.servers);
}

QString serversInUrl(const ConnectionProfile& profile) {
    const topology::Deployment& deployment = profile.deployment;
    return deployment.sentinels ? withEncodedZones(addressesText(deployment.sentinels->sentinels)) + QLatin1Char('/') +
                                      encoded(deployment.sentinels->masterName)
                                : withEncodedZones(serversText(profile));
}

QString userPart(const ConnectionProfile& profile) {
    return profile.credentials.user.isEmpty() ? QString() : encoded(profile.credentials.user) + QLatin1Char('@');
}

QString schemeSuffix(const topology::Deployment& deployment) {
    if (deployment.sentinels)
        return QStringLiteral("-sentinel");
    return deployment.cluster.isEmpty() ? QString() : QStringLiteral("-cluster");
}

QString serversUrl(const ConnectionProfile& profile) {
    const bool tls = profile.endpoint.security == redis::Security::Tls;
    const QString url = QStringLiteral("%1%2://%3%4")
                            .arg(tls ? QStringLiteral("rediss") : QStringLiteral("redis"),
                                 schemeSuffix(profile.deployment), userPart(profile), serversInUrl(profile));
    return profile.database == 0 ? url : QStringLiteral("%1/%2").arg(url, QString::number(profile.database));
}

}  // namespace

Result<ConnectionProfile> ConnectionProfile::fromUrl(const QString& text) {
    if (text.trimmed().isEmpty())
        return invalid(UrlCause::Empty);
    const UrlWithHosts parts = takeHosts(withScheme(text.trimmed()));
    const QUrl url(parts.url, QUrl::StrictMode);
    if (!url.isValid())
        return invalid(UrlCause::Malformed);
    const Scheme* scheme = schemeNamed(url.scheme());
    if (!scheme)
        return invalid(UrlCause::Scheme, {url.scheme()});
    if (url.port() == 0 || url.hasFragment())
        return invalid(url.hasFragment() ? UrlCause::Fragment : UrlCause::PortZero);
    ConnectionProfile profile;
    profile.endpoint.security = scheme->security;
    profile.credentials.user = url.userName(QUrl::FullyDecoded).toUtf8();
    profile.credentials.password = url.password(QUrl::FullyDecoded).toUtf8();
    std::optional<Error> error = applyAddress(url, parts.hosts, scheme->kind, profile);
    if (!error)
        error = url::readOptions(url, profile);
    if (error)
        return *error;
    profile.id = profile.addressId();
    return profile;
}

// Encoded, because JSON and other formats change some characters (a byte order mark, U+FFFE).
ProfileId ConnectionProfile::addressId() const {
    QByteArray address = credentials.user + '@' + serversText(*this).toUtf8() + '/' + QByteArray::number(database);
    // The same address behind another jump host is another machine.
    if (deployment.ssh)
        address += "/ssh:" + deployment.ssh->display().toUtf8();
    return ProfileId(encoded(address, deployment == topology::Deployment() ? "@/:[]" : "@/:[],"));
}

std::optional<ConnectionProfile> ConnectionProfile::atServer(const QString& address) const {
    const std::optional<topology::Address> server = topology::Address::parse(address, serverPort);
    if (!server)
        return std::nullopt;
    ConnectionProfile other = *this;
    other.endpoint.unixPath.clear();
    other.endpoint.host = server->host;
    other.endpoint.port = server->port;
    other.id = other.addressId();
    return other;
}

std::optional<ConnectionProfile> ConnectionProfile::asCluster() const {
    topology::Deployment way;
    way.ssh = deployment.ssh;
    if (endpoint.host.isEmpty() || !endpoint.unixPath.isEmpty() || deployment != way)
        return std::nullopt;
    ConnectionProfile whole = *this;
    whole.deployment.cluster = {{endpoint.host, endpoint.port}};
    whole.endpoint.host.clear();
    whole.database = 0;
    whole.id = whole.addressId();
    return whole;
}

bool ConnectionProfile::namesPrivateKey() const {
    const std::optional<topology::SentinelGroup>& group = deployment.sentinels;
    return !endpoint.privateKeyFile.isEmpty() || (group && group->tls && !group->tls->privateKeyFile.isEmpty());
}

bool ConnectionProfile::pinsCertificate() const {
    const std::optional<topology::SentinelGroup>& group = deployment.sentinels;
    return !endpoint.pinned.isEmpty() || (group && group->tls && !group->tls->pinned.isEmpty());
}

redis::ConnectionOptions ConnectionProfile::connectionOptions() const {
    redis::ConnectionOptions options;
    options.endpoint = endpoint;
    options.credentials = credentials;
    options.database = database;
    options.access = access;
    options.role = redis::WantedRole::Known;
    if (deployment.sentinels || !deployment.servers.isEmpty() || !deployment.cluster.isEmpty()) {
        options.role = redis::WantedRole::Master;
        options.lastRetry = std::chrono::seconds(1);  // another server may be the master by then
    }
    return options;
}

QString ConnectionProfile::display() const {
    const QString servers =
        database == 0 ? serversText(*this) : QStringLiteral("%1/%2").arg(serversText(*this), QString::number(database));
    return deployment.ssh ? QStringLiteral("%1 (ssh %2)").arg(servers, deployment.ssh->display()) : servers;
}

ConnectionProfile ConnectionProfile::withoutSecrets() const {
    ConnectionProfile profile = *this;
    profile.credentials.password.clear();
    profile.writing.password.clear();
    profile.dumps.credentials.password.clear();
    profile.endpoint.keyPassphrase.clear();
    if (profile.deployment.sentinels)
        profile.deployment.sentinels->credentials.password.clear();
    return profile;
}

QString ConnectionProfile::urlWithoutPassword() const {
    // A path has three slashes: the host is empty.
    const QString address = endpoint.unixPath.isEmpty()
                                ? serversUrl(*this)
                                : QLatin1String("unix://") + userPart(*this) + encoded(endpoint.unixPath.toUtf8(), "/");
    const QUrlQuery options = url::optionsOf(*this);
    return options.isEmpty() ? address : address + QLatin1Char('?') + options.query(QUrl::FullyEncoded);
}

}  // namespace lockkeeper::profile
