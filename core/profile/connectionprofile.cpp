// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"

#include "base/exacttext.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <array>

namespace lockkeeper::profile {

namespace {

using topology::Address;

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

constexpr quint16 serverPort = 6379;
constexpr quint16 sentinelPort = 26379;

const QString example = QStringLiteral("redis://host:6379/0");

// Says what is wrong and what would be right. Never quotes the text itself, which may contain a password.
Error invalid(Cause cause, const QStringList& arguments = {}) {
    Error error(ErrorCode::InvalidArgument, cause, arguments);
    error.text += QStringLiteral("; expected for example %1").arg(example);
    return error;
}

// Encodes '&', '#' and other characters that have a meaning in a query.
QString encoded(const QByteArray& text, const QByteArray& unchanged = {}) {
    return QString::fromLatin1(text.toPercentEncoding(unchanged));
}

// With a byte order mark at the start, too, which QString::fromUtf8() removes.
QString textOf(const QByteArray& bytes) {
    return decodedUtf8(bytes).value_or(QString::fromUtf8(bytes));
}

const Scheme* schemeNamed(const QString& name) {
    const auto known = std::ranges::find(schemes, name, &Scheme::name);
    return known == schemes.end() ? nullptr : &*known;
}

std::optional<int> databaseNumber(QStringView text) {
    if (text.isEmpty())
        return 0;
    bool ok = false;
    const int number = text.toInt(&ok);
    return ok && number >= 0 ? std::optional(number) : std::nullopt;
}

// False when the key is none of discovery's.
Result<bool> applyDiscovery(const QString& key, const QByteArray& value, DiscoverySettings& discovery) {
    if (key == QLatin1String("match")) {
        discovery.matches += value;
    } else if (key == QLatin1String("prefix")) {
        discovery.prefixes += value;
    } else if (key == QLatin1String("share")) {
        bool ok = false;
        discovery.serverShare = value.toInt(&ok);
        if (!ok || discovery.serverShare < 1 || discovery.serverShare > 100)
            return invalid(Cause::UrlShare);
    } else {
        return false;
    }
    if (value.isEmpty())
        return invalid(Cause::UrlOptionEmpty, {key});
    return true;
}

void addDiscovery(const DiscoverySettings& discovery, QUrlQuery& query) {
    for (const QByteArray& pattern : discovery.matches)
        query.addQueryItem(QStringLiteral("match"), encoded(pattern));
    for (const QByteArray& prefix : discovery.prefixes)
        query.addQueryItem(QStringLiteral("prefix"), encoded(prefix));
    if (discovery.serverShare != DiscoverySettings().serverShare)
        query.addQueryItem(QStringLiteral("share"), QString::number(discovery.serverShare));
}

// Hexadecimal digits, or pairs of them with colons between, as openssl prints them.
std::optional<QByteArray> fingerprintOf(QString text) {
    text.remove(QLatin1Char(':'));
    static const QRegularExpression digits(QStringLiteral("^[0-9a-fA-F]{64}$"));
    return digits.match(text).hasMatch() ? std::optional(QByteArray::fromHex(text.toLatin1())) : std::nullopt;
}

// False when the key is none of these.
Result<bool> applyTlsLimits(const QString& key, const QString& value, redis::Endpoint& endpoint) {
    if (key == QLatin1String("pin")) {
        const std::optional<QByteArray> fingerprint = fingerprintOf(value);
        if (!fingerprint)
            return invalid(Cause::UrlFingerprint);
        endpoint.pinned += *fingerprint;
        return true;
    }
    if (key != QLatin1String("tls-min"))
        return false;
    if (value != QLatin1String("1.2") && value != QLatin1String("1.3"))
        return invalid(Cause::UrlTlsVersion);
    endpoint.leastTls = value == QLatin1String("1.3") ? redis::TlsVersion::Tls13 : redis::TlsVersion::Tls12;
    return true;
}

// False when the key is none of TLS's.
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

std::optional<Error> addMapping(const QString& text, topology::AddressMap& addresses) {
    const qsizetype sign = text.indexOf(QLatin1Char('='));
    const std::optional<Address> seen = Address::parse(text.left(sign), serverPort);
    const std::optional<Address> reachable = Address::parse(text.mid(sign + 1), serverPort);
    if (sign < 0 || !seen || !reachable)
        return invalid(Cause::UrlAddressMap);
    addresses.insert(*seen, *reachable);
    return std::nullopt;
}

Result<bool> applyPublishing(const QString& value, topology::Deployment& deployment) {
    if (value != QLatin1String("sharded"))
        return invalid(Cause::UrlOptionUnknown, {QStringLiteral("publish=%1").arg(value)});
    deployment.publishing = redis::Publishing::Sharded;
    return true;
}

// False when the key is none of a deployment's.
Result<bool> applyDeployment(const QString& key, const QString& value, topology::Deployment& deployment) {
    if (key == QLatin1String("ssh")) {
        deployment.ssh = topology::JumpHost::parse(value);
        return deployment.ssh ? Result<bool>(true) : invalid(Cause::UrlSsh);
    }
    const bool announcesAddresses = deployment.sentinels || !deployment.servers.isEmpty() || !deployment.cluster.isEmpty();
    if (deployment.sentinels && key == QLatin1String("sentinel-user")) {
        deployment.sentinels->credentials.user = value.toUtf8();
        return true;
    }
    if (!deployment.cluster.isEmpty() && key == QLatin1String("publish"))
        return applyPublishing(value, deployment);
    if (!announcesAddresses || key != QLatin1String("map"))
        return false;
    if (const std::optional<Error> error = addMapping(value, deployment.addresses))
        return *error;
    return true;
}

// The query part of the URL. Unknown keys are refused: a misspelt "ca" must not silently switch to the system's
// authorities.
std::optional<Error> applyQuery(const QUrl& url, ConnectionProfile& profile) {
    for (const auto& [encodedKey, encodedValue] : QUrlQuery(url).queryItems(QUrl::FullyEncoded)) {
        const QString key = QUrl::fromPercentEncoding(encodedKey.toLatin1());
        const QByteArray bytes = QByteArray::fromPercentEncoding(encodedValue.toLatin1());
        const QString value = textOf(bytes);
        if (key == QLatin1String("db")) {
            const std::optional<int> number = databaseNumber(value);
            if (!number)
                return invalid(Cause::UrlDatabase);
            profile.database = *number;
        } else {
            Result<bool> applied = applyTls(key, value, profile.endpoint);
            if (applied && !*applied)
                applied = applyDeployment(key, value, profile.deployment);
            if (applied && !*applied)
                applied = applyDiscovery(key, bytes, profile.discovery);
            if (!applied)
                return applied.error();
            if (!*applied)
                return invalid(Cause::UrlOptionUnknown, {key});
        }
    }
    if (profile.deployment.ssh && !profile.endpoint.unixPath.isEmpty())
        return invalid(Cause::SshUnixPath);
    return std::nullopt;
}

std::optional<Error> readAddresses(const QStringList& hosts, quint16 usualPort, QList<Address>& addresses) {
    for (const QString& host : hosts) {
        const std::optional<Address> address = Address::parse(host, usualPort);
        if (!address)
            return invalid(Cause::UrlHostList);
        addresses += *address;
    }
    return std::nullopt;
}

// Several hosts are a master and its replicas.
std::optional<Error> applyTcp(const QUrl& url, const QStringList& hosts, ConnectionProfile& profile) {
    if (url.host().isEmpty())
        return invalid(Cause::UrlHostMissing);
    const std::optional<int> number = databaseNumber(QStringView(url.path()).mid(1));
    if (!number)
        return invalid(Cause::UrlPathDatabase);
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
        return invalid(Cause::UrlUnixPath);
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
        return invalid(Cause::UrlMasterMissing);
    const std::optional<int> number = databaseNumber(path.value(2));
    if (!number)
        return invalid(Cause::UrlPathDatabase);
    profile.database = *number;
    profile.endpoint.host.clear();
    profile.deployment.sentinels = group;
    return std::nullopt;
}

std::optional<Error> applyCluster(const QUrl& url, const QStringList& hosts, ConnectionProfile& profile) {
    if (!url.path().isEmpty() && url.path() != QLatin1String("/") && url.path() != QLatin1String("/0"))
        return invalid(Cause::UrlClusterPath);
    profile.endpoint.host.clear();
    return readAddresses(hosts, serverPort, profile.deployment.cluster);
}

// QUrl reads one host only. So the list is taken out, and its first host is left in the URL.
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

std::optional<Error> applyAddress(const QUrl& url, const QStringList& hosts, SchemeKind kind, ConnectionProfile& profile) {
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

// In alphabetical order: any order names the same servers.
QString addressesText(const QList<Address>& addresses) {
    QStringList hosts;
    for (const Address& address : addresses)
        hosts += address.display();
    hosts.sort();
    return hosts.join(QLatin1Char(','));
}

// "host:port", "host:port,host:port", "host:port,host:port/master" or the path of a socket.
QString serversText(const ConnectionProfile& profile) {
    const topology::Deployment& deployment = profile.deployment;
    if (deployment.sentinels)
        return addressesText(deployment.sentinels->sentinels) + QLatin1Char('/') + encoded(deployment.sentinels->masterName);
    if (!deployment.cluster.isEmpty())
        return addressesText(deployment.cluster);
    return deployment.servers.isEmpty() ? profile.endpoint.display() : addressesText(deployment.servers);
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
                                 schemeSuffix(profile.deployment), userPart(profile), serversText(profile));
    return profile.database == 0 ? url : QStringLiteral("%1/%2").arg(url, QString::number(profile.database));
}

void addTls(const redis::Endpoint& endpoint, QUrlQuery& query) {
    const std::array<std::pair<const char*, QString>, 4> options{{{"ca", endpoint.caFile},
                                                                  {"cert", endpoint.certificateFile},
                                                                  {"key", endpoint.privateKeyFile},
                                                                  {"sni", endpoint.serverName}}};
    for (const auto& [key, value] : options) {
        if (!value.isEmpty())
            query.addQueryItem(QLatin1String(key), encoded(value.toUtf8(), "/"));
    }
    if (endpoint.leastTls == redis::TlsVersion::Tls13)
        query.addQueryItem(QStringLiteral("tls-min"), QStringLiteral("1.3"));
    for (const QByteArray& fingerprint : endpoint.pinned)
        query.addQueryItem(QStringLiteral("pin"), QString::fromLatin1(fingerprint.toHex()));
}

void addDeployment(const topology::Deployment& deployment, QUrlQuery& query) {
    if (deployment.sentinels && !deployment.sentinels->credentials.user.isEmpty())
        query.addQueryItem(QStringLiteral("sentinel-user"), encoded(deployment.sentinels->credentials.user));
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

Result<ConnectionProfile> ConnectionProfile::fromUrl(const QString& text) {
    if (text.trimmed().isEmpty())
        return invalid(Cause::UrlEmpty);
    const UrlWithHosts parts = takeHosts(withScheme(text.trimmed()));
    const QUrl url(parts.url, QUrl::StrictMode);
    if (!url.isValid())
        return invalid(Cause::UrlMalformed);
    const Scheme* scheme = schemeNamed(url.scheme());
    if (!scheme)
        return invalid(Cause::UrlScheme, {url.scheme()});
    if (url.port() == 0 || url.hasFragment())
        return invalid(url.hasFragment() ? Cause::UrlFragment : Cause::UrlPortZero);
    ConnectionProfile profile;
    profile.endpoint.security = scheme->security;
    profile.credentials.user = url.userName(QUrl::FullyDecoded).toUtf8();
    profile.credentials.password = url.password(QUrl::FullyDecoded).toUtf8();
    std::optional<Error> error = applyAddress(url, parts.hosts, scheme->kind, profile);
    if (!error)
        error = applyQuery(url, profile);
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

QString ConnectionProfile::urlWithoutPassword() const {
    QUrlQuery query;
    QString address;
    if (endpoint.unixPath.isEmpty()) {
        address = serversUrl(*this);
        addTls(endpoint, query);
    } else {
        // Three slashes: the host is empty.
        address = QLatin1String("unix://") + userPart(*this) + encoded(endpoint.unixPath.toUtf8(), "/");
        if (database != 0)
            query.addQueryItem(QStringLiteral("db"), QString::number(database));
    }
    addDeployment(deployment, query);
    addDiscovery(discovery, query);
    return query.isEmpty() ? address : address + QLatin1Char('?') + query.query(QUrl::FullyEncoded);
}

}  // namespace lockkeeper::profile
