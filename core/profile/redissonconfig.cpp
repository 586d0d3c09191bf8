// SPDX-License-Identifier: Apache-2.0
#include "profile/redissonconfig.h"

#include "base/exacttext.h"
#include "base/safetext.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <yaml-cpp/yaml.h>

#include <array>

namespace lockkeeper::profile {

namespace {

using topology::Address;
using Kind = RedissonNote::Kind;

constexpr quint16 usualServerPort = 6379;
constexpr quint16 usualSentinelPort = 26379;

Error wrong(Cause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

// ---- variables ----

struct Variable {
    QString name;
    std::optional<QString> usual;
};

// A variable may stand anywhere in the text, also where its characters have a meaning in YAML. So the parser gets two
// private-use characters with the variable's number between them.
struct Prepared {
    QString text;
    QList<Variable> variables;
};

Prepared prepared(const QString& file) {
    static const QRegularExpression variable(QStringLiteral("\\$\\{([\\w.]+)(:-?([^}\\n]*))?\\}"));
    Prepared result;
    qsizetype done = 0;
    QRegularExpressionMatchIterator matches = variable.globalMatch(file);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        result.text += file.mid(done, match.capturedStart() - done) +
                       QStringLiteral("\uE000%1\uE001").arg(result.variables.size());
        result.variables += {match.captured(1), match.hasCaptured(2) ? std::optional(match.captured(3)) : std::nullopt};
        done = match.capturedEnd();
    }
    result.text += file.mid(done);
    return result;
}

// ---- settings ----

struct Setting {
    QString name;
    int line = 0;
    YAML::Node value;
};

using Group = QList<Setting>;

int lineOf(const YAML::Node& node) {
    return node.Mark().line + 1;
}

QString lineText(int line) {
    return QString::number(line);
}

const Setting* find(const Group& group, QLatin1String name) {
    const auto found = std::ranges::find(group, name, &Setting::name);
    return found == group.end() || found->value.IsNull() ? nullptr : &*found;
}

// Its class is the tag in YAML, and an entry in JSON.
QString classOf(const YAML::Node& node) {
    if (node.IsMap()) {
        for (const auto& entry : node) {
            if (entry.first.IsScalar() && entry.first.Scalar() == "class" && entry.second.IsScalar())
                return QString::fromStdString(entry.second.Scalar());
        }
    }
    return QString::fromStdString(node.Tag());
}

// As toYAML() writes it for a setting that has no value.
bool isUsual(const Setting& setting) {
    return classOf(setting.value).section(QLatin1Char('.'), -1).startsWith(QLatin1String("Default"));
}

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
    QLatin1String servers;  // its setting with the address or the addresses
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

// Reads one file. What is wrong is noted, the first fault counts; reading goes on, so that all variables are found.
class Reader {
public:
    Reader(QList<Variable> variables, const RedissonVariables& values)
        : m_variables(std::move(variables)), m_values(values) {}

    Result<RedissonConnection> read(const YAML::Node& root);

private:
    void note(Kind kind, const QStringList& arguments = {}) { m_result.notes += {kind, arguments}; }
    void fault(Cause cause, const QStringList& arguments) {
        if (!m_fault)
            m_fault = wrong(cause, arguments);
    }
    void faultAt(const Setting& setting, Cause cause) { fault(cause, {lineText(setting.line), setting.name}); }

    [[nodiscard]] QString resolved(const std::string& text);
    [[nodiscard]] QString valueOf(const Setting& setting);
    [[nodiscard]] Group groupOf(const Setting& setting);
    [[nodiscard]] const Setting* use(QLatin1String name);
    [[nodiscard]] QString textOf(QLatin1String name);
    [[nodiscard]] QString passwordOf(QLatin1String name);
    [[nodiscard]] QStringList listOf(QLatin1String name);
    [[nodiscard]] std::optional<ModeName> chooseMode();
    [[nodiscard]] QList<Server> serversOf(QLatin1String name, Mode mode, Count count);
    void readServers(const ModeName& mode);
    void readSentinels(const QList<Server>& servers);
    void setServers(const QList<Server>& servers);
    void readCredentials();
    void readDatabase();
    void readTls();
    void readMappers();
    void readAddressMap(const Setting& map);
    void noteKeyStore(QLatin1String name);
    void noteTheRest();

    const QList<Variable> m_variables;
    const RedissonVariables& m_values;
    Group m_root;
    Group m_group;  // of the mode
    QSet<QString> m_used;
    QStringList m_missing;  // variables without a value
    std::optional<Error> m_fault;
    RedissonConnection m_result;
};

Result<RedissonConnection> Reader::read(const YAML::Node& root) {
    if (!root.IsMap())
        return wrong(Cause::RedissonNoServers);
    m_root = groupOf({QString(), lineOf(root), root});
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
    if (!m_missing.isEmpty())
        return wrong(Cause::RedissonVariables, m_missing);
    if (m_fault)
        return *m_fault;
    m_result.profile.id = m_result.profile.addressId();
    return m_result;
}

QString Reader::resolved(const std::string& text) {
    static const QRegularExpression place(QStringLiteral("\uE000(\\d+)\uE001"));
    const QString raw = QString::fromStdString(text);
    if (!raw.contains(QChar(0xE000)))
        return raw;
    QString result;
    qsizetype done = 0;
    QRegularExpressionMatchIterator places = place.globalMatch(raw);
    while (places.hasNext()) {
        const QRegularExpressionMatch match = places.next();
        const Variable variable = m_variables.value(match.captured(1).toInt());
        std::optional<QString> value = m_values(variable.name);
        if (!value)
            value = variable.usual;
        if (!value && !m_missing.contains(variable.name))
            m_missing += variable.name;
        result += raw.mid(done, match.capturedStart() - done) + value.value_or(QString());
        done = match.capturedEnd();
    }
    return result + raw.mid(done);
}

QString Reader::valueOf(const Setting& setting) {
    if (!setting.value.IsScalar()) {
        faultAt(setting, Cause::RedissonNoValue);
        return {};
    }
    return resolved(setting.value.Scalar());
}

Group Reader::groupOf(const Setting& setting) {
    Group group;
    QSet<QString> names;
    if (!setting.value.IsMap()) {
        faultAt(setting, Cause::RedissonNoGroup);
        return group;
    }
    for (const auto& entry : setting.value) {
        const QString name = entry.first.IsScalar() ? resolved(entry.first.Scalar()) : QString();
        const Setting one{safeText(bounded(name)), lineOf(entry.first), entry.second};
        if (names.contains(name))
            faultAt(one, Cause::RedissonTwice);
        names += name;
        group += one;
    }
    return group;
}

// The group's own setting, or that of the whole file: recent versions have some of them there.
const Setting* Reader::use(QLatin1String name) {
    m_used += name;
    const Setting* own = find(m_group, name);
    return own ? own : find(m_root, name);
}

QString Reader::textOf(QLatin1String name) {
    const Setting* setting = use(name);
    return setting ? valueOf(*setting) : QString();
}

// Redisson PRO encrypts with a key of its own.
QString Reader::passwordOf(QLatin1String name) {
    const QString password = textOf(name);
    if (!password.startsWith(QLatin1String("{aes}")))
        return password;
    note(Kind::EncryptedPassword, {name});
    return {};
}

// A single text counts as a list of one.
QStringList Reader::listOf(QLatin1String name) {
    const Setting* setting = use(name);
    QStringList texts;
    if (!setting)
        return texts;
    if (setting->value.IsScalar())
        return {valueOf(*setting)};
    if (!setting->value.IsSequence()) {
        faultAt(*setting, Cause::RedissonNoList);
        return texts;
    }
    for (const YAML::Node& item : setting->value)
        texts += valueOf({setting->name, lineOf(item), item});
    return texts;
}

std::optional<ModeName> Reader::chooseMode() {
    std::optional<ModeName> mode;
    for (const Setting& setting : m_root) {
        const ModeName* named = modeNamed(setting.name);
        if (!named || setting.value.IsNull())
            continue;
        if (mode)
            faultAt(setting, Cause::RedissonTwoServers);
        else
            m_group = groupOf(setting);
        mode = mode.value_or(*named);
    }
    if (!mode)
        fault(Cause::RedissonNoServers, QStringList());
    return mode;
}

// ---- servers ----

// Only a single server may be reached by a Unix socket.
QList<Server> Reader::serversOf(QLatin1String name, Mode mode, Count count) {
    const quint16 usualPort = mode == Mode::Sentinel ? usualSentinelPort : usualServerPort;
    QList<Server> servers;
    const QStringList texts = count == Count::Many ? listOf(name) : QStringList{textOf(name)};
    for (const QString& text : texts) {
        if (text.isEmpty())
            continue;
        const std::optional<Server> server = serverOf(text.trimmed(), usualPort);
        if (server && (server->unixPath.isEmpty() || mode == Mode::Single))
            servers += *server;
        else
            faultAt(*use(name), Cause::RedissonNoAddress);
    }
    return servers;
}

void Reader::readServers(const ModeName& mode) {
    QList<Server> servers = serversOf(mode.servers, mode.mode, mode.count);
    if (mode.mode == Mode::MasterSlave)
        servers += serversOf(QLatin1String("slaveAddresses"), mode.mode, Count::Many);
    const auto line = std::ranges::find(m_root, mode.group, &Setting::name)->line;
    if (servers.isEmpty())
        return fault(Cause::RedissonMissing, {lineText(line), mode.servers});
    const auto isOther = [&servers](const Server& one) { return one.security != servers.first().security; };
    if (std::ranges::any_of(servers, isOther))
        return fault(Cause::RedissonMixedTls, {lineText(line), mode.group});
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
    group.masterName = textOf(masterName).toUtf8();
    if (group.masterName.isEmpty())
        fault(Cause::RedissonMissing, {lineText(use(QLatin1String("sentinelAddresses"))->line), masterName});
    group.credentials = {textOf(QLatin1String("sentinelUsername")).toUtf8(),
                         passwordOf(QLatin1String("sentinelPassword")).toUtf8()};
    m_result.profile.credentials = {};  // in an address they would be the Sentinel's
    m_result.profile.deployment.sentinels = group;
}

// As in a URL: one server is no deployment.
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
    const QByteArray user = textOf(QLatin1String("username")).toUtf8();
    const QByteArray password = passwordOf(QLatin1String("password")).toUtf8();
    if (!user.isEmpty())
        credentials.user = user;
    if (!password.isEmpty())
        credentials.password = password;
    const Setting* resolver = use(QLatin1String("credentialsResolver"));
    if (resolver && !isUsual(*resolver))
        note(Kind::Credentials);
}

void Reader::readDatabase() {
    const Setting* setting = use(QLatin1String("database"));
    if (!setting)
        return;
    bool ok = false;
    m_result.profile.database = valueOf(*setting).toInt(&ok);
    if (!ok || m_result.profile.database < 0)
        fault(Cause::RedissonNoDatabase, {lineText(setting->line)});
}

// ---- TLS ----

void Reader::noteKeyStore(QLatin1String name) {
    if (use(name))
        note(Kind::KeyStore, {name});
    m_used += name + QLatin1String("Password");
}

void Reader::readTls() {
    noteKeyStore(QLatin1String("sslTruststore"));
    noteKeyStore(QLatin1String("sslKeystore"));
    m_used += QStringLiteral("sslKeystoreType");
    const QString mode = textOf(QLatin1String("sslVerificationMode"));
    if (!mode.isEmpty() && mode != QLatin1String("STRICT"))
        note(Kind::Verification, {QLatin1String("sslVerificationMode: ") + safeText(bounded(mode))});
    const QString identification = textOf(QLatin1String("sslEnableEndpointIdentification"));
    if (identification == QLatin1String("false"))
        note(Kind::Verification, {QStringLiteral("sslEnableEndpointIdentification: false")});
    const QStringList protocols = listOf(QLatin1String("sslProtocols"));
    const bool onlyNewest =
        std::ranges::all_of(protocols, [](const QString& one) { return one == QLatin1String("TLSv1.3"); });
    if (!protocols.isEmpty() && onlyNewest)
        m_result.profile.endpoint.leastTls = redis::TlsVersion::Tls13;
}

// ---- mappers ----

void Reader::readMappers() {
    const Setting* names = use(QLatin1String("nameMapper"));
    if (names && !isUsual(*names))
        note(Kind::NameMapper);
    const Setting* mapper = use(QLatin1String("natMapper"));
    if (!mapper || isUsual(*mapper))
        return;
    const Group settings = mapper->value.IsMap() ? groupOf(*mapper) : Group();
    if (const Setting* map = find(settings, QLatin1String("hostsPortMap")))
        readAddressMap(*map);
    else
        note(Kind::NatMapper);
}

void Reader::readAddressMap(const Setting& map) {
    ConnectionProfile& profile = m_result.profile;
    topology::AddressMap addresses;
    for (const Setting& entry : groupOf(map)) {
        const std::optional<Address> seen = Address::parse(entry.name, usualServerPort);
        const std::optional<Address> reachable = Address::parse(valueOf(entry), usualServerPort);
        if (seen && reachable)
            addresses.insert(*seen, *reachable);
        else
            fault(Cause::RedissonNoAddress, {lineText(entry.line), map.name});
    }
    if (profile.deployment != topology::Deployment()) {
        profile.deployment.addresses = addresses;
        return;
    }
    // A single server is not announced by others: its reachable address is the one to use.
    const auto reachable = addresses.constFind({profile.endpoint.host, profile.endpoint.port});
    if (reachable == addresses.cend())
        return;
    if (profile.endpoint.security == redis::Security::Tls)
        profile.endpoint.serverName = profile.endpoint.host;
    profile.endpoint.host = reachable->host;
    profile.endpoint.port = reachable->port;
}

void Reader::noteTheRest() {
    QStringList names;
    for (const Group* group : {&m_root, &m_group}) {
        for (const Setting& setting : *group) {
            if (!setting.value.IsNull() && !modeNamed(setting.name) && !m_used.contains(setting.name) &&
                !isUsual(setting))
                names += setting.name;
        }
    }
    if (!names.isEmpty())
        note(Kind::NotUsed, names);
}

}  // namespace

std::optional<QString> environmentVariable(const QString& name) {
    const QByteArray encoded = name.toLocal8Bit();
    return qEnvironmentVariableIsSet(encoded) ? std::optional(qEnvironmentVariable(encoded)) : std::nullopt;
}

Result<QByteArray> readRedissonFile(const QString& path) {
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return Error(ErrorCode::Storage, Cause::NotAFile, {path});
    QFile file(path);
    const bool opened = file.open(QIODevice::ReadOnly);
    const QByteArray bytes = opened ? file.read(largestRedissonFile + 1) : QByteArray();
    if (!opened || file.error() != QFileDevice::NoError)
        return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
    if (bytes.size() > largestRedissonFile)
        return wrong(Cause::RedissonTooLarge, {QString::number(largestRedissonFile)});
    return bytes;
}

Result<RedissonConnection> redissonConnection(const QByteArray& file, const RedissonVariables& variables) {
    if (file.size() > largestRedissonFile)
        return wrong(Cause::RedissonTooLarge, {QString::number(largestRedissonFile)});
    const std::optional<QString> text = decodedUtf8(file);
    if (!text)
        return wrong(Cause::RedissonNotText);
    const Prepared parts = prepared(*text);
    try {
        const YAML::Node root = YAML::Load(parts.text.toStdString());
        return Reader(parts.variables, variables).read(root);
    } catch (const YAML::Exception& exception) {
        // Behind a colon it may quote the file, where a password is.
        const QString reason = QString::fromStdString(exception.msg).section(QLatin1Char(':'), 0, 0);
        return wrong(Cause::RedissonSyntax, {lineText(exception.mark.line + 1), reason});
    }
}

}  // namespace lockkeeper::profile
