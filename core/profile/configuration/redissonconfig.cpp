// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/redissonconfig.h"

#include "base/safetext.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/redissonfile.h"

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

// Redisson 2 also writes //host:port and host:port.
std::optional<Server> serverOf(const QString& text, quint16 usualPort) {
    const QString bare = text.startsWith(QLatin1String("//")) ? text.mid(2) : text;
    const QUrl url(bare.contains(QLatin1String("://")) ? bare : QLatin1String("redis://") + bare, QUrl::StrictMode);
    Server server;
    // All that follows is the path, also a '#'.
    static const QLatin1String ofSocket("redis+uds:///");
    if (bare.startsWith(ofSocket)) {
        server.unixPath = QUrl::fromPercentEncoding(bare.mid(ofSocket.size() - 1).toUtf8());
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
    ModeName{QLatin1String("replicatedServersConfig"), Mode::Replicated, QLatin1String("nodeAddresses")},
    ModeName{QLatin1String("elasticacheServersConfig"), Mode::Replicated, QLatin1String("nodeAddresses")}};

const ModeName* modeNamed(const QString& key) {
    const auto found =
        std::ranges::find_if(modes, [&key](const ModeName& one) { return comparableName(one.group) == key; });
    return found == modes.end() ? nullptr : &*found;
}

// Redisson PRO's modes name several Clusters, or several groups of Sentinels, each with locks of its own.
bool isOfPro(const QString& key) {
    const bool isGroup = key.endsWith(QLatin1String("config"));
    return isGroup && (key.startsWith(QLatin1String("multi")) || key.startsWith(QLatin1String("proxy")) ||
                       key.startsWith(QLatin1String("activeactive")));
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
    void checkPort();
    void readServers(const ModeName& mode);
    void readSentinels(const QList<Server>& servers);
    void setServers(const QList<Server>& servers);
    void readCredentials();
    void readDatabase();
    void readTls();
    void readLocks();
    [[nodiscard]] std::optional<Milliseconds> timeOf(QLatin1String name, Milliseconds least);
    [[nodiscard]] std::optional<bool> switchOf(QLatin1String name);
    void readMappers();
    using ParseAddress = std::function<std::optional<Address>(const QString&)>;
    void readAddressMap(const Setting& map, const ParseAddress& parse);
    void noteKeyStore(QLatin1String name);
    void readKeyStore();
    void readTrustStore();
    void noteTheRest();

    RedissonFile m_file;
    RedissonConnection m_result;
};

Result<RedissonConnection> Reader::read() {
    const std::optional<ModeName> mode = chooseMode();
    if (mode) {
        readServers(*mode);
        readCredentials();
        readDatabase();
        readTls();
        readLocks();
        readMappers();
        noteTheRest();
    }
    if (const std::optional<Error> error = m_file.error())
        return *error;
    m_result.profile.id = m_result.profile.addressId();
    return m_result;
}

// Redisson PRO, Spring Cloud and Jasypt encrypt with keys of their own.
bool isEncrypted(const QString& password) {
    const QString text = password.trimmed();
    return text.startsWith(QLatin1String("{aes}")) || text.startsWith(QLatin1String("{cipher}")) ||
           (text.startsWith(QLatin1String("ENC(")) && text.endsWith(QLatin1Char(')')));
}

QString Reader::passwordOf(QLatin1String name) {
    const QString password = m_file.textOf(name);
    if (!isEncrypted(password))
        return password;
    note(Kind::EncryptedPassword, {name});
    return {};
}

std::optional<ModeName> Reader::chooseMode() {
    std::optional<ModeName> mode;
    for (const Setting& setting : m_file.root()) {
        const ModeName* named = modeNamed(setting.key);
        if (isOfPro(setting.key) && !setting.value.isNone())
            m_file.faultAt(setting, RedissonCause::Pro);
        if (!named || setting.value.isNone())
            continue;
        m_file.markUsed(setting.name);
        if (mode)
            m_file.faultAt(setting, RedissonCause::TwoServers);
        else
            m_file.beginGroup(setting);
        mode = mode.value_or(*named);
    }
    if (!mode) {
        QStringList names;
        std::ranges::transform(modes, std::back_inserter(names), &ModeName::group);
        m_file.faultNoServers(names);
    }
    return mode;
}

// ---- servers ----

// Only a single server may be reached by a Unix socket.
QList<Server> Reader::serversOf(QLatin1String name, Mode mode, Count count) {
    const quint16 usualPort = mode == Mode::Sentinel ? usualSentinelPort : usualServerPort;
    const Setting* setting = m_file.use(name);
    if (count == Count::One && setting && setting->value.isGroup()) {
        m_file.faultAt(*setting, RedissonCause::NoValue);
        return {};
    }
    const QStringList texts = m_file.listOf(name);
    if (count == Count::One && texts.size() > 1)
        m_file.faultAt(*m_file.use(name), RedissonCause::SeveralAddresses);
    QList<Server> servers;
    for (const QString& text : texts) {
        const std::optional<Server> server = serverOf(text, usualPort);
        if (server && (server->unixPath.isEmpty() || mode == Mode::Single))
            servers += *server;
        else
            m_file.faultAt(*m_file.use(name), RedissonCause::NoAddress);
    }
    return servers;
}

// Spring has the port in a setting of its own, which is part of the address already.
void Reader::checkPort() {
    m_file.markUsed(QStringLiteral("host"));
    const Setting* port = m_file.use(QLatin1String("port"));
    bool ok = false;
    if (port && (m_file.valueOf(*port).toUShort(&ok) == 0 || !ok))
        m_file.faultAt(*port, RedissonCause::NoPort);
}

void Reader::readServers(const ModeName& mode) {
    checkPort();
    QList<Server> servers = serversOf(mode.servers, mode.mode, mode.count);
    if (mode.mode == Mode::MasterSlave)
        servers += serversOf(QLatin1String("slaveAddresses"), mode.mode, Count::Many);
    const Setting group = *settingOf(m_file.root(), mode.group);
    if (servers.isEmpty())
        return m_file.faultMissing(group, mode.servers);
    const auto isOther = [&servers](const Server& one) { return one.security != servers.first().security; };
    if (std::ranges::any_of(servers, isOther))
        return m_file.faultAt(group, RedissonCause::MixedTls);
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
        m_file.faultMissing(*m_file.use(QLatin1String("sentinelAddresses")), masterName);
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
    const Setting* resolver = m_file.use(QLatin1String("credentialsResolver"));
    if (resolver && !resolver->value.isUsual())
        note(Kind::Credentials);
}

// Valkey 9 has databases in a Cluster, too.
void Reader::readDatabase() {
    const Setting* setting = m_file.use(QLatin1String("database"));
    if (!setting)
        return;
    bool ok = false;
    m_result.profile.database = m_file.valueOf(*setting).trimmed().toInt(&ok);
    if (!ok || m_result.profile.database < 0)
        m_file.faultAt(*setting, RedissonCause::NoDatabase);
}

// ---- locks ----

// Redisson's times are milliseconds; Quarkus also takes a unit, as 30s.
std::optional<Milliseconds> Reader::timeOf(QLatin1String name, Milliseconds least) {
    const Setting* setting = m_file.use(name);
    if (!setting)
        return std::nullopt;
    QString text = m_file.valueOf(*setting).trimmed().toLower();
    text.remove(QLatin1Char('_'));
    qint64 unit = 1;
    if (text.endsWith(QLatin1String("ms")))
        text.chop(2);
    else if (text.endsWith(QLatin1Char('s')) || text.endsWith(QLatin1Char('m'))) {
        unit = text.endsWith(QLatin1Char('s')) ? 1000 : 60'000;
        text.chop(1);
    }
    bool ok = false;
    const qint64 number = text.trimmed().toLongLong(&ok);
    const bool isInRange = ok && number >= 0 && number <= LockSettings::longest.count() / unit;
    if (isInRange && Milliseconds(number * unit) >= least)
        return Milliseconds(number * unit);
    if (ok)
        note(Kind::OutOfRange, {name});
    else
        m_file.faultAt(*setting, RedissonCause::NoTime, {QString::number(qint64{least.count()})});
    return std::nullopt;
}

std::optional<bool> Reader::switchOf(QLatin1String name) {
    const Setting* setting = m_file.use(name);
    if (!setting)
        return std::nullopt;
    const QString text = m_file.valueOf(*setting).trimmed().toLower();
    if (text != QLatin1String("true") && text != QLatin1String("false"))
        m_file.faultAt(*setting, RedissonCause::NoSwitch);
    return text == QLatin1String("true");
}

void Reader::readLocks() {
    LockSettings& locks = m_result.profile.locks;
    locks.watchdogTimeout = timeOf(QLatin1String("lockWatchdogTimeout"), LockSettings::shortestLease);
    locks.fairWait = timeOf(QLatin1String("fairLockWaitTimeout"), LockSettings::shortestLease);
    locks.awaitsReplicas = switchOf(QLatin1String("checkLockSyncedSlaves"));
    locks.replicaTimeout = timeOf(QLatin1String("slavesSyncTimeout"), Milliseconds(1));
}

// ---- TLS ----

void Reader::noteKeyStore(QLatin1String name) {
    if (const Setting* setting = m_file.use(name))
        note(Kind::KeyStore, {shownName(*setting)});
    m_file.markUsed(name + QLatin1String("Password"));
}

// The client's certificate, in PKCS #12.
void Reader::readKeyStore() {
    constexpr QLatin1String name("sslKeystore");
    const QByteArray begin("\x30");  // of DER
    redis::Endpoint& endpoint = m_result.profile.endpoint;
    const Setting* setting = m_file.use(name);
    const std::optional<QString> path = setting ? m_file.keyStoreAt(m_file.valueOf(*setting), begin) : std::nullopt;
    if (!path || endpoint.security != redis::Security::Tls)
        return noteKeyStore(name);
    endpoint.certificateFile = endpoint.privateKeyFile = *path;
    endpoint.keyPassphrase = passwordOf(QLatin1String("sslKeystorePassword")).toUtf8();
}

// The authorities, in Java's old form. In PKCS #12 they are encrypted, and Qt reads no such store without a key.
void Reader::readTrustStore() {
    constexpr QLatin1String name("sslTruststore");
    const QByteArray begin("\xfe\xed\xfe\xed");
    const Setting* setting = m_file.use(name);
    const std::optional<QString> path = setting ? m_file.keyStoreAt(m_file.valueOf(*setting), begin) : std::nullopt;
    if (!path || m_result.profile.endpoint.security != redis::Security::Tls)
        return noteKeyStore(name);
    m_result.profile.endpoint.caFile = *path;
    m_file.markUsed(QStringLiteral("sslTruststorePassword"));
}

void Reader::readTls() {
    readTrustStore();
    readKeyStore();
    m_file.markUsed(QStringLiteral("sslKeystoreType"));
    constexpr QLatin1String modeName("sslVerificationMode");
    const QString mode = m_file.textOf(modeName);
    // The value may be of the environment, so the text of the file is shown.
    if (!mode.isEmpty() && mode != QLatin1String("STRICT"))
        note(Kind::Verification,
             {modeName + QLatin1String(": ") + safeText(bounded(m_file.use(modeName)->value.text))});
    const QString identification = m_file.textOf(QLatin1String("sslEnableEndpointIdentification"));
    if (identification == QLatin1String("false"))
        note(Kind::Verification, {QStringLiteral("sslEnableEndpointIdentification: false")});
    const QStringList protocols = m_file.listOf(QLatin1String("sslProtocols"));
    const bool onlyNewest =
        std::ranges::all_of(protocols, [](const QString& one) { return one == QLatin1String("TLSv1.3"); });
    if (!protocols.isEmpty() && onlyNewest && m_result.profile.endpoint.security == redis::Security::Tls)
        m_result.profile.endpoint.leastTls = redis::TlsVersion::Tls13;
}

// ---- mappers ----

void Reader::readMappers() {
    const Setting* names = m_file.use(QLatin1String("nameMapper"));
    if (names && !names->value.isUsual())
        note(Kind::NameMapper);
    const auto parse = [](const QString& text) {
        const std::optional<Server> server = serverOf(text.trimmed(), usualServerPort);
        return server && server->unixPath.isEmpty() ? std::optional(server->address) : std::nullopt;
    };
    if (const Setting* map = m_file.use(QLatin1String("natMap")))
        return readAddressMap(*map, parse);
    const Setting* mapper = m_file.use(QLatin1String("natMapper"));
    if (!mapper || mapper->value.isUsual())
        return;
    const SettingGroup settings = mapper->value.isGroup() ? m_file.groupOf(*mapper) : SettingGroup();
    if (const Setting* map = settingOf(settings, QLatin1String("hostsPortMap")))
        readAddressMap(*map, parse);
    else if (const Setting* hosts = settingOf(settings, QLatin1String("hostsMap")))
        readAddressMap(*hosts, &Address::parseHost);
    else
        note(Kind::NatMapper);
}

void Reader::readAddressMap(const Setting& map, const ParseAddress& parse) {
    ConnectionProfile& profile = m_result.profile;
    topology::AddressMap addresses;
    for (const Setting& entry : m_file.groupOf(map)) {
        const std::optional<Address> seen = parse(m_file.valueOf(entry.name));
        const std::optional<Address> reachable = parse(m_file.valueOf(entry));
        if (seen && reachable)
            addresses.insert(*seen, *reachable);
        else
            m_file.fault(RedissonCause::NoAddress, {placeOf(entry), shownName(map)});
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
    const std::array rest{std::pair(Kind::Twice, m_file.repeated()), std::pair(Kind::Commented, m_file.emptied()),
                          std::pair(Kind::NotUsed, m_file.unused())};
    for (const auto& [kind, names] : rest) {
        if (!names.isEmpty())
            note(kind, names);
    }
}

}  // namespace

std::optional<QString> environmentVariable(const QString& name) {
    const QByteArray encoded = name.toLocal8Bit();
    return qEnvironmentVariableIsSet(encoded) ? std::optional(qEnvironmentVariable(encoded)) : std::nullopt;
}

Result<RedissonConnection> redissonConnection(const RedissonFile& settings) {
    return Reader(settings).read();
}

}  // namespace lockkeeper::profile
