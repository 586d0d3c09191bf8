// SPDX-License-Identifier: Apache-2.0
#include "profile/redissonconfig.h"

#include "base/regularfile.h"
#include "base/safetext.h"
#include "profile/redissoncause.h"
#include "profile/redissonfile.h"

#include <QFile>
#include <QFileInfo>
#include <QUrl>

#include <array>
#include <functional>

namespace lockkeeper::profile {

namespace {

using topology::Address;
using Kind = RedissonNote::Kind;

constexpr quint16 usualServerPort = 6379;
constexpr quint16 usualSentinelPort = 26379;

// ---- addresses ----

struct Server {
    Address address;
    QString unixPath;
    redis::Security security = redis::Security::Plain;
    redis::Credentials credentials;
};

std::optional<Server> serverOf(const QString& text, quint16 usualPort) {
    const QUrl url(text.contains(QLatin1String("://")) ? text : QLatin1String("redis://") + text, QUrl::StrictMode);
    Server server;
    if (url.scheme() == QLatin1String("redis+uds") && url.path().startsWith(QLatin1Char('/'))) {
        server.unixPath = url.path(QUrl::FullyDecoded);
        return server;
    }
    const bool isTls = url.scheme() == QLatin1String("rediss") || url.scheme() == QLatin1String("valkeys");
    const bool isPlain = url.scheme() == QLatin1String("redis") || url.scheme() == QLatin1String("valkey");
    const bool hasMore = url.path().size() > 1 || url.hasQuery() || url.hasFragment();
    if (!url.isValid() || (!isTls && !isPlain) || url.host().isEmpty() || url.port(usualPort) == 0 || hasMore)
        return std::nullopt;
    server.address = {url.host(), static_cast<quint16>(url.port(usualPort))};
    server.security = isTls ? redis::Security::Tls : redis::Security::Plain;
    server.credentials = {url.userName(QUrl::FullyDecoded).toUtf8(), url.password(QUrl::FullyDecoded).toUtf8()};
    return server;
}

enum class Mode { Single, MasterSlave, Sentinel, Cluster, Replicated };
enum class Count { One, Many };

struct ModeName {
    QLatin1String group;
    Mode mode;
    QLatin1String servers;  // name of the setting with the address or the addresses
    Count count = Count::Many;
};

constexpr std::array modes{
    ModeName{QLatin1String("singleServerConfig"), Mode::Single, QLatin1String("address"), Count::One},
    ModeName{QLatin1String("masterSlaveServersConfig"), Mode::MasterSlave, QLatin1String("masterAddress"), Count::One},
    ModeName{QLatin1String("sentinelServersConfig"), Mode::Sentinel, QLatin1String("sentinelAddresses")},
    ModeName{QLatin1String("clusterServersConfig"), Mode::Cluster, QLatin1String("nodeAddresses")},
    ModeName{QLatin1String("replicatedServersConfig"), Mode::Replicated, QLatin1String("nodeAddresses")}};

const ModeName* modeNamed(const QString& group) {
    const auto found = std::ranges::find(modes, group, &ModeName::group);
    return found == modes.end() ? nullptr : &*found;
}

// ---- the whole ----

// Interprets the settings of a file.
class Reader {
public:
    explicit Reader(RedissonFile file) : m_file(std::move(file)) {}

    Result<RedissonConnection> read();

private:
    void note(Kind kind, const QStringList& arguments = {}) { m_result.notes += {kind, arguments}; }
    [[nodiscard]] QString passwordOf(QLatin1String name);
    [[nodiscard]] std::optional<ModeName> chooseMode();
    [[nodiscard]] QList<Server> serversOf(QLatin1String name, Mode mode, Count count);
    void readServers(const ModeName& mode);
    void readSentinels(const QList<Server>& servers);
    void setServers(const QList<Server>& servers);
    void readCredentials();
    void readDatabase();
    void readTls();
    void readMappers();
    using ParseAddress = std::function<std::optional<Address>(const QString&)>;
    void readAddressMap(const RedissonSetting& map, const ParseAddress& parse);
    void noteKeyStore(QLatin1String name);
    void noteTheRest();

    RedissonFile m_file;
    RedissonConnection m_result;
};

Result<RedissonConnection> Reader::read() {
    const std::optional<ModeName> mode = chooseMode();
    if (mode) {
        readServers(*mode);
        readCredentials();
        if (mode->mode != Mode::Cluster)
            readDatabase();
        readTls();
        readMappers();
        noteTheRest();
    }
    if (const std::optional<Error> error = m_file.error())
        return *error;
    m_result.profile.id = m_result.profile.addressId();
    return m_result;
}

// Redisson PRO encrypts with a key of its own.
QString Reader::passwordOf(QLatin1String name) {
    const QString password = m_file.textOf(name);
    if (!password.startsWith(QLatin1String("{aes}")))
        return password;
    note(Kind::EncryptedPassword, {name});
    return {};
}

std::optional<ModeName> Reader::chooseMode() {
    std::optional<ModeName> mode;
    for (const RedissonSetting& setting : m_file.root()) {
        const ModeName* named = modeNamed(setting.name);
        if (!named || setting.value.IsNull())
            continue;
        m_file.markUsed(setting.name);
        if (mode)
            m_file.faultAt(setting, RedissonCause::TwoServers);
        else
            m_file.beginGroup(setting);
        mode = mode.value_or(*named);
    }
    if (!mode)
        m_file.fault(RedissonCause::NoServers, QStringList());
    return mode;
}

// ---- servers ----

// Only a single server may be reached by a Unix socket.
QList<Server> Reader::serversOf(QLatin1String name, Mode mode, Count count) {
    const quint16 usualPort = mode == Mode::Sentinel ? usualSentinelPort : usualServerPort;
    QList<Server> servers;
    const QStringList texts = count == Count::Many ? m_file.listOf(name) : QStringList{m_file.textOf(name)};
    for (const QString& text : texts) {
        if (text.isEmpty())
            continue;
        const std::optional<Server> server = serverOf(text.trimmed(), usualPort);
        if (server && (server->unixPath.isEmpty() || mode == Mode::Single))
            servers += *server;
        else
            m_file.faultAt(*m_file.use(name), RedissonCause::NoAddress);
    }
    return servers;
}

void Reader::readServers(const ModeName& mode) {
    QList<Server> servers = serversOf(mode.servers, mode.mode, mode.count);
    if (mode.mode == Mode::MasterSlave)
        servers += serversOf(QLatin1String("slaveAddresses"), mode.mode, Count::Many);
    const auto line = std::ranges::find(m_file.root(), mode.group, &RedissonSetting::name)->line;
    if (servers.isEmpty())
        return m_file.fault(RedissonCause::Missing, {QString::number(line), mode.servers});
    const auto isOther = [&servers](const Server& one) { return one.security != servers.first().security; };
    if (std::ranges::any_of(servers, isOther))
        return m_file.fault(RedissonCause::MixedTls, {QString::number(line), mode.group});
    ConnectionProfile& profile = m_result.profile;
    profile.endpoint.security = servers.first().security;
    profile.credentials = servers.first().credentials;
    if (mode.mode == Mode::Sentinel)
        readSentinels(servers);
    else if (mode.mode == Mode::Cluster)
        std::ranges::transform(servers, std::back_inserter(profile.deployment.cluster), &Server::address);
    else
        setServers(servers);
    if (profile.deployment != topology::Deployment())
        profile.endpoint.host.clear();
}

void Reader::readSentinels(const QList<Server>& servers) {
    topology::SentinelGroup group;
    std::ranges::transform(servers, std::back_inserter(group.sentinels), &Server::address);
    constexpr QLatin1String masterName("masterName");
    group.masterName = m_file.textOf(masterName).toUtf8();
    if (group.masterName.isEmpty())
        m_file.fault(RedissonCause::Missing,
                     {QString::number(m_file.use(QLatin1String("sentinelAddresses"))->line), masterName});
    group.credentials = {m_file.textOf(QLatin1String("sentinelUsername")).toUtf8(),
                         passwordOf(QLatin1String("sentinelPassword")).toUtf8()};
    m_result.profile.credentials = {};  // credentials in an address would be the Sentinel's
    m_result.profile.deployment.sentinels = group;
}

// A single server is not a deployment, as in a URL.
void Reader::setServers(const QList<Server>& servers) {
    ConnectionProfile& profile = m_result.profile;
    if (servers.size() > 1) {
        std::ranges::transform(servers, std::back_inserter(profile.deployment.servers), &Server::address);
        return;
    }
    profile.endpoint.unixPath = servers.first().unixPath;
    if (profile.endpoint.unixPath.isEmpty()) {
        profile.endpoint.host = servers.first().address.host;
        profile.endpoint.port = servers.first().address.port;
    }
}

void Reader::readCredentials() {
    redis::Credentials& credentials = m_result.profile.credentials;
    const QByteArray user = m_file.textOf(QLatin1String("username")).toUtf8();
    const QByteArray password = passwordOf(QLatin1String("password")).toUtf8();
    if (!user.isEmpty())
        credentials.user = user;
    if (!password.isEmpty())
        credentials.password = password;
    const RedissonSetting* resolver = m_file.use(QLatin1String("credentialsResolver"));
    if (resolver && !resolver->isUsual())
        note(Kind::Credentials);
}

void Reader::readDatabase() {
    const RedissonSetting* setting = m_file.use(QLatin1String("database"));
    if (!setting)
        return;
    bool ok = false;
    m_result.profile.database = m_file.valueOf(*setting).toInt(&ok);
    if (!ok || m_result.profile.database < 0)
        m_file.fault(RedissonCause::NoDatabase, {QString::number(setting->line)});
}

// ---- TLS ----

void Reader::noteKeyStore(QLatin1String name) {
    if (m_file.use(name))
        note(Kind::KeyStore, {name});
    m_file.markUsed(name + QLatin1String("Password"));
}

void Reader::readTls() {
    noteKeyStore(QLatin1String("sslTruststore"));
    noteKeyStore(QLatin1String("sslKeystore"));
    m_file.markUsed(QStringLiteral("sslKeystoreType"));
    const QString mode = m_file.textOf(QLatin1String("sslVerificationMode"));
    if (!mode.isEmpty() && mode != QLatin1String("STRICT"))
        note(Kind::Verification, {QLatin1String("sslVerificationMode: ") + safeText(bounded(mode))});
    const QString identification = m_file.textOf(QLatin1String("sslEnableEndpointIdentification"));
    if (identification == QLatin1String("false"))
        note(Kind::Verification, {QStringLiteral("sslEnableEndpointIdentification: false")});
    const QStringList protocols = m_file.listOf(QLatin1String("sslProtocols"));
    const bool onlyNewest =
        std::ranges::all_of(protocols, [](const QString& one) { return one == QLatin1String("TLSv1.3"); });
    if (!protocols.isEmpty() && onlyNewest)
        m_result.profile.endpoint.leastTls = redis::TlsVersion::Tls13;
}

// ---- mappers ----

void Reader::readMappers() {
    const RedissonSetting* names = m_file.use(QLatin1String("nameMapper"));
    if (names && !names->isUsual())
        note(Kind::NameMapper);
    const RedissonSetting* mapper = m_file.use(QLatin1String("natMapper"));
    if (!mapper || mapper->isUsual())
        return;
    const RedissonGroup settings = mapper->value.IsMap() ? m_file.groupOf(*mapper) : RedissonGroup();
    if (const RedissonSetting* map = settingOf(settings, QLatin1String("hostsPortMap")))
        readAddressMap(*map, [](const QString& text) { return Address::parse(text, usualServerPort); });
    else if (const RedissonSetting* hosts = settingOf(settings, QLatin1String("hostsMap")))
        readAddressMap(*hosts, &Address::parseHost);
    else
        note(Kind::NatMapper);
}

void Reader::readAddressMap(const RedissonSetting& map, const ParseAddress& parse) {
    ConnectionProfile& profile = m_result.profile;
    topology::AddressMap addresses;
    for (const RedissonSetting& entry : m_file.groupOf(map)) {
        const std::optional<Address> seen = parse(entry.name);
        const std::optional<Address> reachable = parse(m_file.valueOf(entry));
        if (seen && reachable)
            addresses.insert(*seen, *reachable);
        else
            m_file.fault(RedissonCause::NoAddress, {QString::number(entry.line), map.name});
    }
    if (profile.deployment != topology::Deployment()) {
        profile.deployment.addresses = addresses;
        return;
    }
    // No other server announces a single server, so its reachable address is used.
    const std::optional<Address> reachable =
        topology::reachableAddress(addresses, {profile.endpoint.host, profile.endpoint.port});
    if (!reachable)
        return;
    if (profile.endpoint.security == redis::Security::Tls)
        profile.endpoint.serverName = profile.endpoint.host;
    profile.endpoint.host = reachable->host;
    profile.endpoint.port = reachable->port;
}

void Reader::noteTheRest() {
    const QStringList names = m_file.unused();
    if (!names.isEmpty())
        note(Kind::NotUsed, names);
}

}  // namespace

std::optional<QString> environmentVariable(const QString& name) {
    const QByteArray encoded = name.toLocal8Bit();
    return qEnvironmentVariableIsSet(encoded) ? std::optional(qEnvironmentVariable(encoded)) : std::nullopt;
}

Result<QByteArray> readRedissonFile(const QString& path) {
    QFile file(path);
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return opened.error();
    const QByteArray bytes = file.read(largestRedissonFile + 1);
    if (file.error() != QFileDevice::NoError)
        return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
    if (bytes.size() > largestRedissonFile)
        return Error(ErrorCode::InvalidArgument, RedissonCause::TooLarge, {QString::number(largestRedissonFile)});
    return bytes;
}

Result<RedissonConnection> redissonConnection(const QByteArray& file, const RedissonVariables& variables) {
    const Result<RedissonFile> settings = RedissonFile::parse(file, variables);
    if (!settings)
        return settings.error();
    return Reader(*settings).read();
}

}  // namespace lockkeeper::profile
