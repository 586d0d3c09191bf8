// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/springsettings.h"

#include "base/safetext.h"
#include "profile/configuration/redissonfile.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lockkeeper::profile {

namespace {

constexpr auto springForm = Placeholders::Form::Spring;

// Where frameworks have settings of Redisson, the first one that is there counts.
constexpr std::array redissonPaths{QLatin1String("spring.data.redis.redisson"), QLatin1String("spring.redis.redisson"),
                                   QLatin1String("spring.redisson"), QLatin1String("quarkus.redisson"),
                                   QLatin1String("redisson")};
// Spring Boot 3 and its predecessors.
constexpr std::array redisPaths{QLatin1String("spring.data.redis"), QLatin1String("spring.redis")};
constexpr std::array roots{QLatin1String("spring"), QLatin1String("quarkus"), QLatin1String("redisson")};

QString joined(const QString& path, QLatin1String name) {
    return path + QLatin1Char('.') + name;
}

// A group of Redisson's settings names servers by a group whose name ends so.
bool hasServers(const Setting& setting) {
    return std::ranges::any_of(setting.value.group, [](const Setting& one) {
        return one.key.endsWith(QLatin1String("serverconfig")) || one.key.endsWith(QLatin1String("serversconfig"));
    });
}

bool isFileName(const QString& text) {
    static const QRegularExpression name(QStringLiteral("^\\S+\\.(ya?ml|json)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    return !text.contains(QLatin1Char('\n')) &&
           (text.startsWith(QLatin1String("classpath:")) || text.startsWith(QLatin1String("file:")) ||
            name.match(text).hasMatch());
}

// ---- Redisson's own settings ----

// Some starters have the settings of a single server without a group of their own.
SpringServers singleServer(const Setting& setting, const Setting& address) {
    Setting group = setting;
    group.key = comparableName(QStringLiteral("singleServerConfig"));
    Setting root = setting;
    root.value.group = {group};
    return {SpringServers::Where::Here, root, {{RedissonNote::Kind::OldAddress, {shownName(address)}}}, {}};
}

SpringServers ownServers(const Setting& setting, Placeholders& variables) {
    using Where = SpringServers::Where;
    if (setting.value.isText()) {
        const bool isFile = isFileName(variables.resolved(setting.value.text, springForm).trimmed());
        return {isFile ? Where::File : Where::Text, setting, {}, {}};
    }
    if (hasServers(setting))
        return {Where::Here, setting, {}, {}};
    for (const QLatin1String name : {QLatin1String("file"), QLatin1String("config")}) {
        const Setting* below = settingOf(setting.value.group, name);
        if (below && below->value.isText())
            return name == QLatin1String("file") ? SpringServers{Where::File, *below, {}, {}}
                                                 : ownServers(*below, variables);
        if (below && hasServers(*below))
            return {Where::Here, *below, {}, {}};
    }
    const Setting* address = settingOf(setting.value.group, QStringLiteral("address"));
    return address && address->value.isText() ? singleServer(setting, *address) : SpringServers();
}

// ---- Spring Data ----

class SpringData {
public:
    SpringData(const SpringTree& tree, const QString& path, Placeholders& variables)
        : m_tree(tree), m_path(path), m_variables(variables) {}

    SpringServers read() {
        const bool hasBundle = m_tree.has(joined(m_path, QLatin1String("ssl.bundle")));
        const std::optional<bool> isEnabled = switchAt(QLatin1String("ssl.enabled"));
        const bool isTls = switchAt(QLatin1String("ssl")).value_or(isEnabled.value_or(hasBundle));
        m_scheme = isTls ? QStringLiteral("rediss://") : QStringLiteral("redis://");
        QString group = QStringLiteral("singleServerConfig");
        if (const auto nodes = settingAt(QLatin1String("sentinel.nodes"))) {
            group = QStringLiteral("sentinelServersConfig");
            addNodes(*nodes, QLatin1String("sentinel.nodes"), QLatin1String("sentinelAddresses"));
            addText(QLatin1String("sentinel.master"), QLatin1String("masterName"));
            addText(QLatin1String("sentinel.username"), QLatin1String("sentinelUsername"));
            addText(QLatin1String("sentinel.password"), QLatin1String("sentinelPassword"));
        } else if (const auto cluster = settingAt(QLatin1String("cluster.nodes"))) {
            group = QStringLiteral("clusterServersConfig");
            addNodes(*cluster, QLatin1String("cluster.nodes"), QLatin1String("nodeAddresses"));
        } else if (const auto replicas = settingAt(QLatin1String("masterreplica.nodes"))) {
            group = QStringLiteral("replicatedServersConfig");
            addNodes(*replicas, QLatin1String("masterreplica.nodes"), QLatin1String("nodeAddresses"));
        } else if (const auto url = settingAt(QLatin1String("url"))) {
            addUrl(*url);
        } else {
            addHost();
        }
        addText(QLatin1String("username"), QLatin1String("username"));
        addText(QLatin1String("password"), QLatin1String("password"));
        if (!settingOf(m_settings, QStringLiteral("database")))
            addText(QLatin1String("database"), QLatin1String("database"));
        if (hasBundle)
            readBundle();
        return {SpringServers::Where::Here, whole(group), m_notes, m_fault, m_pem};
    }

private:
    std::optional<Setting> settingAt(QLatin1String name) const { return m_tree.at(joined(m_path, name)); }

    QString textOf(QLatin1String name) {
        const std::optional<Setting> setting = settingAt(name);
        return setting && setting->value.isText() ? m_variables.resolved(setting->value.text, springForm).trimmed()
                                                  : QString();
    }

    void faultAt(const Setting& setting, QLatin1String name, RedissonCause cause, const QStringList& others = {}) {
        if (!m_fault)
            m_fault =
                Error(ErrorCode::InvalidArgument, cause, QStringList{placeOf(setting), joined(m_path, name)} + others);
    }

    // As Spring reads them. Nothing if the setting is not there, or a group.
    std::optional<bool> switchAt(QLatin1String name) {
        static const QStringList on{QStringLiteral("true"), QStringLiteral("on"), QStringLiteral("yes"),
                                    QStringLiteral("1")};
        static const QStringList off{QStringLiteral("false"), QStringLiteral("off"), QStringLiteral("no"),
                                     QStringLiteral("0"), QString()};
        const std::optional<Setting> setting = settingAt(name);
        if (!setting || setting->value.isGroup())
            return std::nullopt;
        const QString text = textOf(name).toLower();
        if (!setting->value.isText() || (!on.contains(text) && !off.contains(text)))
            faultAt(*setting, name, RedissonCause::NoSwitch);
        return on.contains(text);
    }

    // name: of Redisson's setting that means the same. The message about it has the name that the file has.
    void add(QLatin1String name, Setting setting, QLatin1String path, const SettingValue& value) {
        setting.name = joined(m_path, path);
        setting.key = comparableName(name);
        setting.value = value;
        m_settings += setting;
    }

    void addText(QLatin1String path, QLatin1String name) {
        const std::optional<Setting> setting = settingAt(path);
        if (!setting)
            return addEmpty(path, name);
        const SettingValue& value = setting->value;
        add(name, *setting, path,
            value.isText() ? finalText(m_variables.resolved(value.text, springForm), value.line) : value);
    }

    // Its value may be behind a '#', which is worth a message.
    void addEmpty(QLatin1String path, QLatin1String name) {
        if (const std::optional<Setting> empty = m_tree.emptyAt(joined(m_path, path)))
            add(name, *empty, path, empty->value);
    }

    QString withScheme(const QString& node) const {
        return node.contains(QLatin1String("://")) ? node : m_scheme + node;
    }

    void addNodes(const Setting& nodes, QLatin1String path, QLatin1String name) {
        SettingValue value = nodes.value;
        const QList<SettingValue> items = value.isText() ? QList{value} : value.list;
        value.type = SettingValue::Type::List;
        value.list.clear();
        for (const SettingValue& item : items) {
            const QStringList texts =
                m_variables.resolved(item.text, springForm).split(QLatin1Char(','), Qt::SkipEmptyParts);
            for (const QString& text : texts) {
                if (value.list.size() > mostAddresses)
                    break;
                value.list += finalText(withScheme(text.trimmed()), item.line);
            }
            if (value.list.size() > mostAddresses)
                break;
        }
        if (value.list.size() > mostAddresses)
            faultAt(nodes, path, RedissonCause::TooManyAddresses, {QString::number(mostAddresses)});
        add(name, nodes, path, value);
    }

    // A database may follow the host.
    void addUrl(const Setting& url) {
        constexpr QLatin1String name("url");
        if (!url.value.isText())
            return add(QLatin1String("address"), url, name, url.value);
        QString text = withScheme(m_variables.resolved(url.value.text, springForm).trimmed());
        static const QRegularExpression database(QStringLiteral("^([a-z]+://[^/]*)/(\\d*)$"));
        const QRegularExpressionMatch match = database.match(text);
        if (match.hasMatch()) {
            text = match.captured(1);
            if (match.capturedLength(2) > 0)
                add(QLatin1String("database"), url, name, finalText(match.captured(2), url.line));
        }
        add(QLatin1String("address"), url, name, finalText(text, url.line));
    }

    void addHost() {
        const std::optional<Setting> host = settingAt(QLatin1String("host"));
        const std::optional<Setting> port = settingAt(QLatin1String("port"));
        const Setting place = host ? *host : port.value_or(m_tree.at(m_path).value_or(Setting()));
        if (host && !host->value.isText())
            return add(QLatin1String("address"), *host, QLatin1String("host"), host->value);
        addEmpty(QLatin1String("host"), QLatin1String("host"));
        QString name = host ? textOf(QLatin1String("host")) : QStringLiteral("localhost");
        if (name.count(QLatin1Char(':')) > 1 && !name.startsWith(QLatin1Char('[')))
            name = QStringLiteral("[%1]").arg(name);
        const QString number = port ? textOf(QLatin1String("port")) : QStringLiteral("6379");
        if (port)
            add(QLatin1String("port"), *port, QLatin1String("port"), finalText(number, port->line));
        bool isNumber = false;
        const bool isPort = number.toUShort(&isNumber) > 0 && isNumber;
        add(QLatin1String("address"), place, QLatin1String("host"),
            finalText(withScheme(isPort ? QStringLiteral("%1:%2").arg(name, number) : name), place.line));
    }

    void readBundle() {
        const QString name = textOf(QLatin1String("ssl.bundle"));
        const QString pem = QStringLiteral("spring.ssl.bundle.pem.") + name;
        const QString jks = QStringLiteral("spring.ssl.bundle.jks.") + name;
        if (!name.isEmpty() && m_tree.has(pem)) {
            m_pem.authorities = bundleSetting(pem + QLatin1String(".truststore.certificate"));
            m_pem.certificate = bundleSetting(pem + QLatin1String(".keystore.certificate"));
            m_pem.key = bundleSetting(pem + QLatin1String(".keystore.private-key"));
            const auto passphrase = bundleSetting(pem + QLatin1String(".keystore.private-key-password"));
            m_pem.passphrase = passphrase ? passphrase->value.text : QString();
        } else if (!name.isEmpty() && m_tree.has(jks)) {
            addOfBundle(jks + QLatin1String(".truststore.location"), QLatin1String("sslTruststore"));
            addOfBundle(jks + QLatin1String(".keystore.location"), QLatin1String("sslKeystore"));
            addOfBundle(jks + QLatin1String(".keystore.password"), QLatin1String("sslKeystorePassword"));
        } else {
            const std::optional<Setting> named = settingAt(QLatin1String("ssl.bundle"));
            const QString shown = named ? safeText(bounded(named->value.text)) : QString();
            m_notes += {RedissonNote::Kind::BundleMissing, {joined(m_path, QLatin1String("ssl.bundle")), shown}};
        }
        for (const QString& bundle : {pem, jks}) {
            if (!name.isEmpty() && m_tree.has(bundle))
                return addProtocols(bundle + QLatin1String(".options.enabled-protocols"));
        }
    }

    // Spring has them as a text with commas, or as a list.
    void addProtocols(const QString& path) {
        std::optional<Setting> setting = m_tree.at(path);
        if (!setting || setting->value.isGroup())
            return;
        setting->name = path;
        setting->key = comparableName(QStringLiteral("sslProtocols"));
        if (setting->value.isText())
            setting->value = finalText(m_variables.resolved(setting->value.text, springForm).trimmed(), setting->line);
        m_settings += *setting;
    }

    // With its whole path as its name.
    std::optional<Setting> bundleSetting(const QString& path) {
        std::optional<Setting> setting = m_tree.at(path);
        if (!setting || !setting->value.isText())
            return std::nullopt;
        setting->name = path;
        setting->value = finalText(m_variables.resolved(setting->value.text, springForm).trimmed(), setting->line);
        return setting;
    }

    void addOfBundle(const QString& path, QLatin1String name) {
        std::optional<Setting> setting = bundleSetting(path);
        if (!setting)
            return;
        setting->key = comparableName(name);
        m_settings += *setting;
    }

    Setting whole(const QString& group) const {
        Setting settings = m_tree.at(m_path).value_or(Setting());
        settings.name = m_path;
        settings.key = comparableName(group);
        settings.value.type = SettingValue::Type::Group;
        settings.value.group = m_settings;
        Setting root = settings;
        root.value.group = {settings};
        return root;
    }

    const SpringTree& m_tree;
    const QString m_path;
    Placeholders& m_variables;
    QString m_scheme;
    SettingGroup m_settings;
    PemFiles m_pem;
    QList<RedissonNote> m_notes;
    std::optional<Error> m_fault;
};

// Whether the settings name a server, and are not only about pools and the like.
bool namesServer(const SpringTree& tree, const QString& path) {
    static constexpr std::array names{QLatin1String("host"),          QLatin1String("port"),
                                      QLatin1String("url"),           QLatin1String("sentinel.nodes"),
                                      QLatin1String("cluster.nodes"), QLatin1String("masterreplica.nodes"),
                                      QLatin1String("password"),      QLatin1String("database")};
    return std::ranges::any_of(names, [&](QLatin1String name) { return tree.has(joined(path, name)); });
}

bool namesServers(const SpringTree& tree) {
    return std::ranges::any_of(redissonPaths, [&](QLatin1String path) { return tree.has(path); }) ||
           std::ranges::any_of(redisPaths, [&](QLatin1String path) { return namesServer(tree, path); });
}

// "prod" for "%prod.quarkus.redisson.threads" and for the group "%prod"; empty for other names.
QString profileOfQuarkus(const QString& name) {
    static const QRegularExpression form(QStringLiteral("^%\\{?([\\w\\-,]{1,200})\\}?(?:\\.|$)"));
    return form.match(name).captured(1);
}

// The texts of a setting that is a text or a list of them.
QStringList textsOf(const std::optional<Setting>& setting) {
    QStringList texts;
    if (setting && setting->value.isText())
        texts += setting->value.text;
    if (setting) {
        for (const SettingValue& item : setting->value.list)
            texts += item.text;
    }
    return texts;
}

}  // namespace

SpringDocument springDocument(const SettingValue& root, const QString& profileOfFile) {
    SpringTree tree;
    tree.add(root);
    SpringDocument document{root, {}, namesServers(tree), {}, {}, {}};
    // Before Spring Boot 2.4 it was spring.profiles, which is a group for other settings.
    for (const QLatin1String path :
         {QLatin1String("spring.config.activate.on-profile"), QLatin1String("spring.profiles")}) {
        const QStringList texts = textsOf(tree.at(path));
        if (!texts.isEmpty())
            document.conditions += texts.join(QLatin1Char(','));
    }
    if (!profileOfFile.isEmpty())
        document.conditions += profileOfFile;
    return document;
}

QList<SpringImport> springImports(const SettingValue& root) {
    constexpr qsizetype most = 100;
    static const QRegularExpression otherSource(QStringLiteral("^([A-Za-z][\\w+-]*:)(?!/?$)"));
    SpringTree tree;
    tree.add(root);
    QList<SpringImport> imports;
    const QString all = textsOf(tree.at(QStringLiteral("spring.config.import"))).join(QLatin1Char(','));
    for (QString text : all.split(QLatin1Char(','))) {
        text = text.trimmed();
        if (text.startsWith(QLatin1String("optional:")))
            text = text.mid(9).trimmed();
        if (text.isEmpty() || imports.size() == most)
            continue;
        // The address of another source may have a password.
        const QString scheme = otherSource.match(text).captured(1);
        const bool isFile =
            scheme.isEmpty() || scheme == QLatin1String("file:") || scheme == QLatin1String("classpath:");
        imports += {text, isFile ? safeText(bounded(text)) : scheme};
    }
    return imports;
}

bool isOfSpring(const SettingValue& document) {
    return std::ranges::any_of(document.group, [](const Setting& setting) {
        if (!profileOfQuarkus(setting.name).isEmpty())
            return true;
        const QString root = comparableName(setting.name.section(QLatin1Char('.'), 0, 0));
        return std::ranges::find(roots, root) != roots.end();
    });
}

QList<SpringDocument> quarkusDocuments(const SpringDocument& document) {
    SettingValue common = document.root;
    common.group.clear();
    QStringList profiles;
    QHash<QString, SettingValue> groups;
    for (const Setting& setting : document.root.group) {
        const QString profile = profileOfQuarkus(setting.name);
        if (profile.isEmpty()) {
            common.group += setting;
            continue;
        }
        if (!groups.contains(profile)) {
            profiles += profile;
            groups.insert(profile, SettingValue());
        }
        SettingValue& group = groups[profile];
        group.type = SettingValue::Type::Group;
        if (setting.name.contains(QLatin1Char('.'))) {
            Setting own = setting;
            own.name = setting.name.section(QLatin1Char('.'), 1);
            own.key = comparableName(own.name);
            group.group += own;
        } else {
            group.group += setting.value.group;
        }
    }
    if (profiles.isEmpty())
        return {document};
    QList<SpringDocument> documents{springDocument(common, {})};
    documents.first().conditions = document.conditions;
    for (const QString& profile : std::as_const(profiles)) {
        documents += springDocument(groups.value(profile), profile);
        documents.last().conditions += document.conditions;
    }
    for (SpringDocument& one : documents) {
        one.file = document.file;
        one.importedBy = document.importedBy;
    }
    return documents;
}

SpringServers springServers(const SpringTree& tree, Placeholders& variables) {
    const auto withRepeated = [&tree](SpringServers servers, const QString& path) {
        const QStringList repeated = tree.repeatedBelow(path);
        if (!repeated.isEmpty())
            servers.notes += {RedissonNote::Kind::Twice, repeated};
        return servers;
    };
    for (const QLatin1String path : redissonPaths) {
        const std::optional<Setting> setting = tree.at(path);
        const SpringServers servers = setting ? ownServers(*setting, variables) : SpringServers();
        if (servers.where != SpringServers::Where::Nowhere)
            return withRepeated(servers, path);
    }
    for (const QLatin1String path : redisPaths) {
        if (namesServer(tree, path))
            return withRepeated(SpringData(tree, path, variables).read(), path);
    }
    return {};
}

}  // namespace lockkeeper::profile
