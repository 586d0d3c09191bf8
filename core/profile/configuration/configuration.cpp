// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/configuration.h"

#include "base/regularfile.h"
#include "base/safetext.h"
#include "profile/configuration/kubernetesfile.h"
#include "profile/configuration/placeholders.h"
#include "profile/configuration/redissonfile.h"
#include "profile/configuration/settingsparser.h"
#include "profile/configuration/springprofiles.h"
#include "profile/configuration/springsettings.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <tuple>

namespace lockkeeper::profile {

namespace {

using Found = Result<RedissonConnection>;

Error refusal(RedissonCause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

bool isPropertiesName(const QString& name) {
    return name.endsWith(QLatin1String(".properties"), Qt::CaseInsensitive);
}

// Names of servers are in a group of Redisson at the top of the document.
bool namesModes(const SettingValue& document) {
    return std::ranges::any_of(document.group, [](const Setting& one) {
        return one.key.endsWith(QLatin1String("serverconfig")) || one.key.endsWith(QLatin1String("serversconfig"));
    });
}

struct ParsedFile {
    QString name;  // empty for the one that was opened
    ParsedSettings settings;
};

class ConfigurationReader {
public:
    ConfigurationReader(const ConfigurationFiles& files, const ConfigurationChoice& choice)
        : m_files(files), m_choice(choice), m_placeholders(choice.variables) {
        m_placeholders.setOwn([this](const QString& name) { return ownValue(name); });
    }

    Found read();

private:
    [[nodiscard]] static Result<ParsedFile> parsed(const ConfigurationFile& file, const QString& shownName);
    [[nodiscard]] std::optional<Error> takeFromBudget(const ConfigurationFile& file);
    [[nodiscard]] Found readFile();
    [[nodiscard]] Found readObjects(const QList<KubernetesData>& objects);
    [[nodiscard]] Found readSeveral(const QList<ConfigurationFile>& files);
    [[nodiscard]] Found readSpring(const QList<ParsedFile>& files);
    [[nodiscard]] Found readServers(const SpringServers& servers, const CommentedSettings& commented);
    [[nodiscard]] Found readText(const Setting& setting);
    [[nodiscard]] Found readNamedFile(const Setting& setting);
    [[nodiscard]] Found readRedisson(const SettingValue& root, const CommentedSettings& commented);
    [[nodiscard]] std::optional<Error> addImports(QList<SpringDocument>& documents);
    [[nodiscard]] Result<QList<SpringDocument>> imported(SpringDocument& importing);
    void usePem(const PemFiles& pem, RedissonConnection& connection) const;
    [[nodiscard]] std::optional<Error> takeProfiles(const QList<SpringDocument>& documents);
    void takeDocuments(const QList<SpringDocument>& documents);
    void addVariables(SpringTree& tree) const;
    [[nodiscard]] std::optional<QString> keyStoreAt(const QString& name, const QByteArray& begin) const;
    [[nodiscard]] std::optional<QString> ownValue(const QString& name) const;
    [[nodiscard]] bool isActive(const SpringDocument& document) const;

    ConfigurationFiles m_files;
    const ConfigurationChoice& m_choice;
    Placeholders m_placeholders;
    SpringTree m_tree;
    QMap<QString, QString> m_variables;  // of Kubernetes
    QStringList m_active;                // profiles of Spring
    QStringList m_others;                // profiles with servers that are not active
    QStringList m_imported;              // files
    QStringList m_notImported;
    int m_parsed = 0;  // files
    qsizetype m_bytes = 0;
};

Result<ParsedFile> ConfigurationReader::parsed(const ConfigurationFile& file, const QString& shownName) {
    const bool areProperties = isPropertiesName(file.name);
    const Result<QString> text = settingsText(file.bytes, areProperties ? Encoding::Utf8OrLatin1 : Encoding::Utf8);
    if (!text)
        return text.error();
    const Result<ParsedSettings> settings =
        areProperties ? parseProperties(*text, shownName) : parseYaml(*text, shownName);
    if (!settings)
        return settings.error();
    return ParsedFile{shownName, *settings};
}

// All files together are bounded, because one of them takes time and memory, too.
std::optional<Error> ConfigurationReader::takeFromBudget(const ConfigurationFile& file) {
    constexpr int mostParsedFiles = 50;
    constexpr qsizetype mostParsedBytes = 1'000'000;
    m_bytes += file.bytes.size();
    if (++m_parsed <= mostParsedFiles && m_bytes <= mostParsedBytes)
        return std::nullopt;
    return refusal(RedissonCause::TooManyFiles, {QString::number(mostParsedFiles), QString::number(mostParsedBytes)});
}

Found ConfigurationReader::read() {
    if (m_files.source == ConfigurationFiles::Source::Archive)
        return readSeveral(m_files.files);
    return readFile();
}

// ---- one file ----

// A file without an ending may be properties, too.
bool looksLikeProperties(const QByteArray& bytes) {
    static const QRegularExpression line(QStringLiteral("^\\s*(spring|redisson|quarkus)\\.[\\w.\\-]+\\s*="),
                                         QRegularExpression::MultilineOption);
    const Result<QString> text = settingsText(bytes);
    return text && line.match(*text).hasMatch();
}

Found ConfigurationReader::readFile() {
    ConfigurationFile first = m_files.files.value(0);
    if (!isConfigurationName(first.name) && looksLikeProperties(first.bytes))
        first.name += QLatin1String(".properties");
    Result<ParsedFile> opened = parsed(first, QString());
    if (!opened)
        return opened.error();
    const QList<SettingValue>& documents = opened->settings.documents;
    const Result<std::optional<QList<KubernetesData>>> objects = kubernetesData(documents);
    if (!objects)
        return objects.error();
    if (*objects)
        return readObjects(**objects);
    const bool isSpring = isPropertiesName(first.name) || std::ranges::any_of(documents, isOfSpring) ||
                          (springProfileOf(first.name) && !std::ranges::any_of(documents, namesModes));
    if (!isSpring)
        return readRedisson(documents.value(0), opened->settings.commented);
    QList<ParsedFile> files{*opened};
    for (const ConfigurationFile& sibling : m_files.files.mid(1)) {
        if (const std::optional<Error> tooMany = takeFromBudget(sibling))
            return *tooMany;
        const Result<ParsedFile> one = parsed(sibling, sibling.name);
        if (!one)
            return one.error();
        files += *one;
    }
    return readSpring(files);
}

// Each object is of an application of its own: a password of one must not reach the server of another.
Found ConfigurationReader::readObjects(const QList<KubernetesData>& objects) {
    std::optional<Found> result;
    QStringList names;
    for (const KubernetesData& object : objects) {
        ConfigurationFiles files;  // without a folder: what an entry names is another entry
        files.files = object.files;
        ConfigurationReader reader(files, m_choice);
        reader.m_variables = object.variables;
        const Found found = reader.readSeveral(object.files);
        const bool isNone = !found && (found.error().cause == RedissonCause::NoServers ||
                                       found.error().cause == RedissonCause::NoConfiguration);
        if (!isNone)
            names += object.name.isEmpty() ? QStringLiteral("?") : safeText(bounded(object.name));
        if (!result || (!isNone && names.size() == 1))
            result = found;
    }
    if (names.size() > 1)
        return refusal(RedissonCause::SeveralObjects, names);
    return result ? *result : Found(refusal(RedissonCause::NoConfiguration));
}

Found ConfigurationReader::readRedisson(const SettingValue& root, const CommentedSettings& commented) {
    RedissonFile settings(root, commented, m_placeholders);
    settings.setKeyStores([this](const QString& name, const QByteArray& begin) { return keyStoreAt(name, begin); });
    Found found = redissonConnection(settings);
    if (!found)
        return found;
    if (!m_placeholders.unasked().isEmpty())
        found.value().notes += {RedissonNote::Kind::Defaults, m_placeholders.unasked()};
    if (!m_others.isEmpty())
        found.value().notes += {RedissonNote::Kind::OtherProfiles, m_others};
    if (!m_notImported.isEmpty())
        found.value().notes += {RedissonNote::Kind::NotImported, m_notImported};
    return found;
}

// ---- several files ----

// In the order in which Spring reads them: a later one overrides an earlier one. bootstrap is before application; files
// for profiles are behind the others, in the order in which the profiles are active; config/ is behind the root.
auto rankOf(const QString& name, const QStringList& active) {
    static constexpr std::array endings{QLatin1String(".yaml"), QLatin1String(".yml"), QLatin1String(".properties")};
    qsizetype ending = 0;
    for (size_t i = 0; i < endings.size(); ++i) {
        if (name.endsWith(endings.at(i), Qt::CaseInsensitive))
            ending = static_cast<qsizetype>(i);
    }
    const QString profile = springProfileOf(name).value_or(QString());
    const qsizetype place = profile.isEmpty() ? 0 : active.indexOf(profile) + 2;
    const bool isBootstrap = name.contains(QLatin1String("bootstrap"), Qt::CaseInsensitive);
    return std::tuple(!isBootstrap, place, name.startsWith(QLatin1String("config/")), ending);
}

void sortDocuments(QList<SpringDocument>& documents, const QStringList& active) {
    std::stable_sort(documents.begin(), documents.end(), [&active](const SpringDocument& a, const SpringDocument& b) {
        return rankOf(a.importedBy.value_or(a.file), active) < rankOf(b.importedBy.value_or(b.file), active);
    });
}

Found ConfigurationReader::readSeveral(const QList<ConfigurationFile>& files) {
    const bool isArchive = m_files.source == ConfigurationFiles::Source::Archive;
    QList<ParsedFile> spring;
    QList<ParsedFile> redisson;
    for (const ConfigurationFile& file : files) {
        const bool isSpring = springProfileOf(file.name).has_value();
        if (isArchive && !isSpring && !file.name.contains(QLatin1String("redis"), Qt::CaseInsensitive))
            continue;
        if (const std::optional<Error> tooMany = takeFromBudget(file))
            return *tooMany;
        const Result<ParsedFile> one = parsed(file, file.name);
        if (!one && isSpring)
            return one.error();
        // A file that is something else need not be YAML.
        if (!one)
            continue;
        if (isSpring || std::ranges::any_of(one->settings.documents, isOfSpring))
            spring += *one;
        else if (std::ranges::any_of(one->settings.documents, namesModes))
            redisson += *one;
    }
    if (!spring.isEmpty() || !m_variables.isEmpty()) {
        const Found found = readSpring(spring);
        const bool isNone = !found && (found.error().cause == RedissonCause::NoServers ||
                                       found.error().cause == RedissonCause::ImportNotRead);
        if (!isNone || redisson.isEmpty())
            return found;
    }
    if (redisson.isEmpty())
        return refusal(RedissonCause::NoConfiguration);
    const auto isUsual = [](const ParsedFile& one) {
        return one.name.section(QLatin1Char('.'), 0, -2) == QLatin1String("redisson");
    };
    const auto usual = std::ranges::find_if(redisson, isUsual);
    if (redisson.size() > 1 && usual == redisson.end()) {
        QStringList names;
        for (const ParsedFile& one : std::as_const(redisson))
            names += one.name;
        return refusal(RedissonCause::SeveralFiles, names);
    }
    const ParsedFile& chosen = usual == redisson.end() ? redisson.first() : *usual;
    return readRedisson(chosen.settings.documents.first(), chosen.settings.commented);
}

// ---- Spring ----

Found ConfigurationReader::readSpring(const QList<ParsedFile>& files) {
    QList<SpringDocument> documents;
    CommentedSettings commented;
    for (const ParsedFile& file : files) {
        // The file that was opened is meant whatever its name says.
        const QString profile = file.name.isEmpty() ? QString() : springProfileOf(file.name).value_or(QString());
        for (const SettingValue& root : file.settings.documents) {
            SpringDocument document = springDocument(root, profile);
            document.file = file.name;
            documents += quarkusDocuments(document);
        }
        if (commented.whole.isEmpty() && commented.values.isEmpty())
            commented = file.settings.commented;
    }
    if (const std::optional<Error> error = addImports(documents))
        return *error;
    sortDocuments(documents, {});
    if (const std::optional<Error> error = takeProfiles(documents))
        return *error;
    sortDocuments(documents, m_active);
    takeDocuments(documents);
    if (m_tree.isFull())
        return refusal(RedissonCause::TooManySettings, {QString::number(SpringTree::most)});
    const SpringServers servers = springServers(m_tree, m_placeholders);
    if (servers.where != SpringServers::Where::Nowhere)
        return readServers(servers, commented);
    if (!m_others.isEmpty())
        return refusal(RedissonCause::Profiles, m_others);
    for (const SpringDocument& document : std::as_const(documents)) {
        if (namesModes(document.root))
            return readRedisson(document.root, commented);
    }
    return m_notImported.isEmpty() ? refusal(RedissonCause::NoServers)
                                   : refusal(RedissonCause::ImportNotRead, m_notImported);
}

// ---- spring.config.import ----

// The name that a location has beside the file. Nothing: it is elsewhere.
std::optional<QString> nameBeside(QString location) {
    const bool isClassPath = location.startsWith(QLatin1String("classpath"));
    static const QRegularExpression scheme(QStringLiteral("^(classpath\\*?:/*|file:(//)?(\\./)?|\\./)"));
    location.remove(scheme);
    const bool isOutside = (!isClassPath && location.startsWith(QLatin1Char('/'))) ||
                           location.contains(QLatin1Char(':')) || location.contains(QLatin1Char('\\')) ||
                           location.split(QLatin1Char('/')).contains(QLatin1String(".."));
    return isOutside || location.isEmpty() ? std::nullopt : std::optional(location);
}

// Each document behind the one that imports it, which it overrides. An imported one may import others. Each file is
// read once, and their number is bounded.
std::optional<Error> ConfigurationReader::addImports(QList<SpringDocument>& documents) {
    for (qsizetype i = 0; i < documents.size(); ++i) {
        const Result<QList<SpringDocument>> found = imported(documents[i]);
        if (!found)
            return found.error();
        for (qsizetype k = 0; k < found->size(); ++k)
            documents.insert(i + 1 + k, found->at(k));
    }
    return std::nullopt;
}

Result<QList<SpringDocument>> ConfigurationReader::imported(SpringDocument& importing) {
    static const QRegularExpression hint(QStringLiteral("\\[(\\.\\w+)\\]$"));
    QList<SpringDocument> documents;
    for (const SpringImport& one : springImports(importing.root)) {
        // Variables of the environment would lead to places that the user has not seen.
        Placeholders own{RedissonVariables()};
        QString location = own.resolved(one.text, Placeholders::Form::Spring);
        const QString ending = hint.match(location).captured(1);
        location.remove(hint);
        const bool isOfArchive = m_files.source == ConfigurationFiles::Source::Archive;
        const bool isOnDisk = location.startsWith(QLatin1String("file:"));
        std::optional<QString> name =
            own.missing().isEmpty() && !(isOfArchive && isOnDisk) ? nameBeside(location) : std::nullopt;
        const bool isInFolder = importing.file.contains(QLatin1Char('/')) && !location.contains(QLatin1Char(':'));
        if (name && isInFolder)
            name = importing.file.section(QLatin1Char('/'), 0, -2) + QLatin1Char('/') + *name;
        if (name && m_imported.contains(*name))
            continue;
        const std::optional<QByteArray> bytes = name ? fileBeside(m_files, *name) : std::nullopt;
        if (!bytes) {
            importing.notImported += one.shown;
            continue;
        }
        m_imported += *name;
        if (const std::optional<Error> tooMany = takeFromBudget({*name, *bytes}))
            return *tooMany;
        const Result<ParsedFile> file = parsed({*name + ending, *bytes}, *name);
        if (!file)
            return file.error();
        for (const SettingValue& root : file->settings.documents) {
            SpringDocument document = springDocument(root, QString());
            document.conditions += importing.conditions;
            document.file = *name;
            document.importedBy = importing.importedBy.value_or(importing.file);
            documents += quarkusDocuments(document);
        }
    }
    return documents;
}

bool ConfigurationReader::isActive(const SpringDocument& document) const {
    return std::ranges::all_of(document.conditions,
                               [this](const QString& one) { return acceptsProfiles(one, m_active); });
}

QStringList namesIn(const QString& text) {
    QStringList found;
    for (const QString& one : text.split(QLatin1Char(','))) {
        if (!one.trimmed().isEmpty())
            found += one.trimmed();
    }
    return found;
}

// The names that a setting has as a text or as a list.
QStringList namesAt(const SpringTree& tree, const QString& path) {
    const std::optional<Setting> setting = tree.at(path);
    if (!setting)
        return {};
    // A profile that only the environment names is not known.
    Placeholders own{RedissonVariables()};
    QStringList texts{setting->value.text};
    for (const SettingValue& item : setting->value.list)
        texts += item.text;
    return namesIn(own.resolved(texts.join(QLatin1Char(',')), Placeholders::Form::Spring));
}

QString pathOfGroup(const QString& profile) {
    return QStringLiteral("spring.profiles.group.") + profile;
}

// Each profile with those of its group behind it.
QStringList withGroups(const SpringTree& tree, const QStringList& profiles) {
    constexpr qsizetype mostProfiles = 100;
    QStringList all;
    QStringList open = profiles;
    while (!open.isEmpty() && all.size() < mostProfiles) {
        const QString profile = open.takeFirst();
        if (all.contains(profile))
            continue;
        all += profile;
        open = namesAt(tree, pathOfGroup(profile)) + open;
    }
    return all;
}

// Those that the user has chosen, else those that the documents without a condition make active.
std::optional<Error> ConfigurationReader::takeProfiles(const QList<SpringDocument>& documents) {
    m_active = namesIn(m_choice.springProfile);
    QStringList known;
    bool areOthersKnown = false;  // a condition such as !test is for all others
    SpringTree common;
    for (const SpringDocument& document : documents) {
        for (const QString& condition : document.conditions) {
            known += profilesIn(condition);
            areOthersKnown = areOthersKnown || condition.contains(QLatin1Char('!'));
        }
        if (document.conditions.isEmpty())
            common.add(document.root);
    }
    known.removeDuplicates();
    addVariables(common);
    for (const QString& chosen : std::as_const(m_active)) {
        if (!known.contains(chosen) && !areOthersKnown && !common.has(pathOfGroup(chosen)))
            return refusal(RedissonCause::NoProfile, QStringList{chosen} + known);
    }
    if (m_active.isEmpty())
        m_active = namesAt(common, QStringLiteral("spring.profiles.active"));
    // Before the others, which override them.
    m_active = namesAt(common, QStringLiteral("spring.profiles.include")) + m_active;
    if (m_active.isEmpty())
        m_active = namesAt(common, QStringLiteral("spring.profiles.default"));
    m_active = withGroups(common, m_active);
    if (m_active.isEmpty())
        m_active += QStringLiteral("default");
    return std::nullopt;
}

void ConfigurationReader::takeDocuments(const QList<SpringDocument>& documents) {
    for (const SpringDocument& document : documents) {
        if (isActive(document)) {
            m_tree.add(document.root);
            m_notImported += document.notImported;
            continue;
        }
        for (const QString& condition : document.conditions) {
            for (const QString& name : document.namesServers ? profilesIn(condition) : QStringList()) {
                if (!m_others.contains(name) && !m_active.contains(name))
                    m_others += name;
            }
        }
    }
    addVariables(m_tree);
}

// The environment overrides files.
void ConfigurationReader::addVariables(SpringTree& tree) const {
    for (auto variable = m_variables.cbegin(); variable != m_variables.cend(); ++variable)
        tree.addVariable(variable.key(), variable.value(), QString());
}

Found ConfigurationReader::readServers(const SpringServers& servers, const CommentedSettings& commented) {
    if (servers.fault && !variablesError(m_placeholders))
        return *servers.fault;
    Found found = servers.where == SpringServers::Where::Here   ? readRedisson(servers.setting.value, commented)
                  : servers.where == SpringServers::Where::Text ? readText(servers.setting)
                                                                : readNamedFile(servers.setting);
    if (found) {
        found.value().notes = servers.notes + found->notes;
        usePem(servers.pem, found.value());
    }
    return found;
}

// What is no file beside this one cannot be used.
void ConfigurationReader::usePem(const PemFiles& pem, RedissonConnection& connection) const {
    redis::Endpoint& endpoint = connection.profile.endpoint;
    if (endpoint.security != redis::Security::Tls)
        return;
    const auto pathOf = [&](const std::optional<Setting>& setting) {
        const std::optional<QString> path = setting ? keyStoreAt(setting->value.text, {}) : std::nullopt;
        if (!setting || path)
            return path.value_or(QString());
        const QString text = setting->value.text.trimmed();
        const bool isContent = text.startsWith(QLatin1String("-----BEGIN"));
        const bool isMissing = !isContent && !m_files.folder.isEmpty() && nameBeside(text);
        connection.notes +=
            {isMissing ? RedissonNote::Kind::FileMissing : RedissonNote::Kind::KeyStore, {shownName(*setting)}};
        return path.value_or(QString());
    };
    endpoint.caFile = pathOf(pem.authorities);
    const QString certificate = pathOf(pem.certificate);
    const QString key = pathOf(pem.key);
    if (certificate.isEmpty() || key.isEmpty())
        return;
    endpoint.certificateFile = certificate;
    endpoint.privateKeyFile = key;
    endpoint.keyPassphrase = pem.passphrase.toUtf8();
}

// A block of text below the line of its setting.
Found ConfigurationReader::readText(const Setting& setting) {
    const Result<ParsedSettings> parsed = parseYaml(setting.value.text, setting.file, setting.value.line);
    return parsed ? readRedisson(parsed->documents.value(0), parsed->commented) : Found(parsed.error());
}

// classpath:redisson.yaml is beside the file; no other place is opened.
Found ConfigurationReader::readNamedFile(const Setting& setting) {
    QString name = m_placeholders.resolved(setting.value.text, Placeholders::Form::Spring).trimmed();
    if (const std::optional<Error> error = variablesError(m_placeholders))
        return *error;
    const std::optional<QString> beside = nameBeside(name);
    if (!beside)
        return refusal(RedissonCause::OtherFolder, {placeOf(setting), shownName(setting)});
    name = *beside;
    const std::optional<QByteArray> bytes = fileBeside(m_files, name);
    // What the setting says may have come from the environment.
    const QString shown = setting.value.text.contains(QLatin1String("${")) ? setting.value.text.trimmed() : name;
    if (!bytes)
        return refusal(RedissonCause::FileMissing, {placeOf(setting), shownName(setting), shown});
    const Result<ParsedFile> file = parsed({name, *bytes}, shown);
    return file ? readRedisson(file->settings.documents.value(0), file->settings.commented) : Found(file.error());
}

// Beside the file: no other one is opened that it names.
std::optional<QString> ConfigurationReader::keyStoreAt(const QString& name, const QByteArray& begin) const {
    static const QRegularExpression scheme(QStringLiteral("^(classpath:/*|file:(//)?)"));
    QString path = name.trimmed();
    path.remove(scheme);
    const std::optional<QString> found = path.isEmpty() ? std::nullopt : pathBeside(m_files, path);
    QFile file(found.value_or(QString()));
    return found && openRegularFile(file) && file.read(begin.size()) == begin ? found : std::nullopt;
}

// A variable may be a setting of the file, or an entry of a ConfigMap.
std::optional<QString> ConfigurationReader::ownValue(const QString& name) const {
    const auto known = m_variables.constFind(name);
    if (known != m_variables.cend())
        return *known;
    if (name == QLatin1String("spring.profiles.active") && !m_choice.springProfile.isEmpty())
        return m_choice.springProfile;
    return m_tree.textAt(name);
}

}  // namespace

Found connectionOf(const ConfigurationFiles& files, const ConfigurationChoice& choice) {
    return ConfigurationReader(files, choice).read();
}

Found redissonConnection(const QByteArray& file, const RedissonVariables& variables) {
    ConfigurationFiles files;
    files.files += {QString(), file};
    return connectionOf(files, {{}, variables});
}

}  // namespace lockkeeper::profile
