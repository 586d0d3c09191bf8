// SPDX-License-Identifier: Apache-2.0
#include "serve/http/webconfig.h"

#include "base/regularfile.h"
#include "platform/passwordhash.h"
#include "profile/configuration/settingsparser.h"
#include "serve/servecause.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSslCertificate>
#include <QSslKey>

namespace lockkeeper::serve {

namespace {

using profile::Setting;
using profile::SettingGroup;

constexpr qsizetype largestFile = 1024 * 1024;  // bytes

Error wrong(ServeCause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

Error wrongAt(const Setting& setting, ServeCause cause) {
    return wrong(cause, {setting.name, QString::number(setting.line)});
}

// Where the files of a configuration are.
struct Files {
    QDir folder;
    const FileNamed& named;

    [[nodiscard]] Result<QString> path(const QString& name) const {
        Result<QString> path = named(name);
        return path ? Result<QString>(folder.absoluteFilePath(*path)) : path;
    }
};

Result<QByteArray> contentOf(const QString& path) {
    QFile file(path);
    const Result<Done> opened = openRegularFile(file);
    if (!opened)
        return opened.error();
    return file.read(largestFile);
}

// ---- TLS ----

// The settings of tls_server_config as texts, by their names.
struct TlsSettings {
    QString certificateFile;
    QString keyFile;
    QString clientCheck;
    QString clientAuthorityFile;
    QString leastVersion;
};

Result<TlsSettings> tlsSettings(const SettingGroup& group) {
    TlsSettings settings;
    const std::array<std::pair<QString, QString*>, 5> known{
        {{QStringLiteral("cert_file"), &settings.certificateFile},
         {QStringLiteral("key_file"), &settings.keyFile},
         {QStringLiteral("client_auth_type"), &settings.clientCheck},
         {QStringLiteral("client_ca_file"), &settings.clientAuthorityFile},
         {QStringLiteral("min_version"), &settings.leastVersion}}};
    for (const Setting& setting : group) {
        const auto found =
            std::ranges::find_if(known, [&setting](const auto& one) { return one.first == setting.name; });
        if (found == known.end())
            return wrongAt(setting, ServeCause::UnknownSetting);
        if (!setting.value.isText())
            return wrongAt(setting, ServeCause::NotASetting);
        *found->second = setting.value.text;
    }
    return settings;
}

Result<QList<QSslCertificate>> certificatesIn(const QString& path, ServeCause otherwise) {
    const Result<QByteArray> content = contentOf(path);
    if (!content)
        return content.error();
    QList<QSslCertificate> certificates = QSslCertificate::fromData(*content, QSsl::Pem);
    if (certificates.isEmpty())
        return wrong(otherwise, {path});
    return certificates;
}

Result<QSslKey> keyIn(const QString& path) {
    const Result<QByteArray> content = contentOf(path);
    if (!content)
        return content.error();
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec}) {
        const QSslKey key(*content, algorithm);
        if (!key.isNull())
            return key;
    }
    return wrong(ServeCause::KeyUnreadable, {path});
}

// Qt does not say the public part of a private key, but the private one has it within: of RSA the modulus, with which
// the public key begins, of EC the point, with which it ends.
bool isKeyOf(const QSslKey& key, const QSslKey& ofCertificate) {
    if (key.algorithm() != ofCertificate.algorithm() || key.length() != ofCertificate.length())
        return false;
    const QByteArray whole = key.toDer();
    const QByteArray publicKey = ofCertificate.toDer();
    const qsizetype bytes = (key.length() + 7) / 8;
    if (publicKey.size() <= bytes)
        return false;
    if (key.algorithm() == QSsl::Rsa) {
        constexpr qsizetype exponent = 10;  // which follows the modulus, with its length: at most so long
        return whole.contains(publicKey.last(bytes).chopped(exponent));
    }
    // A key may be stored without its point, so that it is half as long, and a point in a short form. Then they cannot
    // be compared.
    const bool hasPoint = whole.size() > 3 * bytes + 20;
    const bool isWhole = publicKey.size() > 2 * bytes && publicKey.at(publicKey.size() - 2 * bytes - 1) == '\x04';
    return !hasPoint || !isWhole || whole.contains(publicKey.last(2 * bytes));
}

Result<Done> takeClientCheck(QSslConfiguration& tls, const TlsSettings& settings, const Files& files) {
    const bool isChecked = settings.clientCheck == QLatin1String("RequireAndVerifyClientCert");
    if (!isChecked && !settings.clientCheck.isEmpty() && settings.clientCheck != QLatin1String("NoClientCert"))
        return wrong(ServeCause::ClientCheckUnknown, {settings.clientCheck});
    if (isChecked == settings.clientAuthorityFile.isEmpty())
        return wrong(ServeCause::ClientAuthorityMissing);
    tls.setPeerVerifyMode(isChecked ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
    if (!isChecked)
        return Done();
    const Result<QString> file = files.path(settings.clientAuthorityFile);
    if (!file)
        return file.error();
    const Result<QList<QSslCertificate>> authorities = certificatesIn(*file, ServeCause::ClientAuthority);
    if (!authorities)
        return authorities.error();
    tls.setCaCertificates(*authorities);
    return Done();
}

Result<QSslConfiguration> tlsOf(const SettingGroup& group, const Files& files) {
    const Result<TlsSettings> settings = tlsSettings(group);
    if (!settings)
        return settings.error();
    if (settings->certificateFile.isEmpty() || settings->keyFile.isEmpty())
        return wrong(ServeCause::CertificateMissing);
    const Result<QString> certificateFile = files.path(settings->certificateFile);
    const Result<QString> keyFile = files.path(settings->keyFile);
    if (!certificateFile)
        return certificateFile.error();
    if (!keyFile)
        return keyFile.error();
    const Result<QList<QSslCertificate>> chain = certificatesIn(*certificateFile, ServeCause::CertificateUnreadable);
    const Result<QSslKey> key = keyIn(*keyFile);
    if (!chain)
        return chain.error();
    if (!key)
        return key.error();
    if (!isKeyOf(*key, chain->first().publicKey()))
        return wrong(ServeCause::KeyOfOther, {*keyFile, *certificateFile});
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificateChain(*chain);
    tls.setPrivateKey(*key);
    if (!settings->leastVersion.isEmpty() && settings->leastVersion != QLatin1String("TLS12") &&
        settings->leastVersion != QLatin1String("TLS13"))
        return wrong(ServeCause::TlsVersionUnknown, {settings->leastVersion});
    tls.setProtocol(settings->leastVersion == QLatin1String("TLS13") ? QSsl::TlsV1_3OrLater : QSsl::TlsV1_2OrLater);
    if (const Result<Done> taken = takeClientCheck(tls, *settings, files); !taken)
        return taken.error();
    return tls;
}

// ---- users ----

Result<HashedUsers> usersOf(const SettingGroup& group) {
    static const QRegularExpression form(QStringLiteral("^\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}$"));
    HashedUsers users;
    for (const Setting& setting : group) {
        if (!setting.value.isText())
            return wrongAt(setting, ServeCause::NotASetting);
        const QRegularExpressionMatch match = form.match(setting.value.text);
        if (!match.hasMatch())
            return wrong(ServeCause::NotAHash, {setting.name});
        const int cost = match.captured(1).toInt();
        if (cost < WebConfig::leastCost || cost > WebConfig::mostCost)
            return wrong(ServeCause::HashCost,
                         {setting.name, QString::number(WebConfig::leastCost), QString::number(WebConfig::mostCost)});
        users.insert(setting.name.toUtf8(), setting.value.text.toLatin1());
    }
    if (users.size() > WebConfig::mostUsers)
        return wrong(ServeCause::TooManyUsers, {QString::number(WebConfig::mostUsers)});
    // Asked once, because otherwise each scrape would be refused without a reason.
    const bool canVerify =
        users.isEmpty() ||
        platform::checkPassword("", QByteArray("$2b$04$") + QByteArray(22, 'a')) != platform::HashCheck::NotPossible;
    if (!canVerify)
        return wrong(ServeCause::NoHashesHere);
    return users;
}

}  // namespace

Result<WebConfig> readWebConfig(const QString& path, const FileNamed& named) {
    const Result<QByteArray> content = contentOf(path);
    if (!content)
        return content.error();
    const Result<QString> text = profile::settingsText(*content);
    if (!text)
        return text.error();
    const Result<profile::ParsedSettings> parsed = profile::parseYaml(*text);
    if (!parsed)
        return parsed.error();
    if (parsed->documents.isEmpty() || !parsed->documents.first().isGroup())
        return wrong(ServeCause::EmptyFile);
    WebConfig config;
    const Files files{QFileInfo(path).absoluteDir(), named};
    for (const Setting& setting : parsed->documents.first().group) {
        const bool isTls = setting.name == QLatin1String("tls_server_config");
        if (!isTls && setting.name != QLatin1String("basic_auth_users"))
            return wrongAt(setting, ServeCause::UnknownSetting);
        if (!setting.value.isGroup())
            return wrongAt(setting, ServeCause::NotASetting);
        if (isTls) {
            const Result<QSslConfiguration> tls = tlsOf(setting.value.group, files);
            if (!tls)
                return tls.error();
            config.tls = *tls;
        } else {
            const Result<HashedUsers> users = usersOf(setting.value.group);
            if (!users)
                return users.error();
            config.users = *users;
        }
    }
    if (!config.tls && config.users.isEmpty())
        return wrong(ServeCause::EmptyFile);
    return config;
}

}  // namespace lockkeeper::serve
