// SPDX-License-Identifier: Apache-2.0
#include "redis/tlspolicy.h"

#include "base/safetext.h"

#include <QBuffer>
#include <QDataStream>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QSslCertificate>
#include <QSslError>
#include <QSslKey>
#include <QSslSocket>
#include <QUrl>

#include <array>
#include <future>

namespace lockkeeper::redis {

namespace {

// ---- the client's certificate ----

Error noClientCertificate(const Endpoint& endpoint) {
    return Error(ErrorCode::Tls, Cause::NoClientCertificate, {endpoint.certificateFile, endpoint.privateKeyFile});
}

// Recognizes both forms of PEM: "BEGIN ENCRYPTED PRIVATE KEY" and "Proc-Type: 4,ENCRYPTED".
bool needsPassphrase(const QByteArray& pem) {
    return pem.contains("ENCRYPTED");
}

// Reads regular files only: a device has no end, and a pipe may block for ever. Empty if the file cannot be opened.
Result<QByteArray> readPem(const QString& path) {
    constexpr qint64 longest = 1024 * 1024;
    const QFileInfo info(path);
    if (info.exists() && (!info.isFile() || info.size() > longest))
        return Error(ErrorCode::Tls, Cause::NotAPemFile, {path});
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(longest) : QByteArray();
}

const QByteArray jksBegin("\xfe\xed\xfe\xed", 4);

// Java's old key store keeps the certificates that it trusts as they are; its password only seals the file. What a
// damaged file has before the damage counts.
QList<QSslCertificate> certificatesInJks(const QByteArray& content) {
    constexpr quint32 trustedCertificate = 2;
    constexpr quint32 versionWithTypes = 2;
    QDataStream stream(content);
    QList<QSslCertificate> certificates;
    const auto skipText = [&stream] {
        quint16 length = 0;
        stream >> length;
        stream.skipRawData(length);
    };
    quint32 magic = 0;
    quint32 version = 0;
    quint32 count = 0;
    stream >> magic >> version >> count;
    for (quint32 i = 0; i < count && stream.status() == QDataStream::Ok && !stream.atEnd(); ++i) {
        quint32 kind = 0;
        qint64 created = 0;
        QByteArray certificate;
        stream >> kind;
        skipText();
        stream >> created;
        if (version == versionWithTypes)
            skipText();
        stream >> certificate;
        if (kind != trustedCertificate || stream.status() != QDataStream::Ok)
            break;
        certificates += QSslCertificate::fromData(certificate, QSsl::Der);
    }
    return certificates;
}

Result<QList<QSslCertificate>> certificatesIn(const QString& path) {
    const Result<QByteArray> content = readPem(path);
    if (!content)
        return content.error();
    return content->startsWith(jksBegin) ? certificatesInJks(*content) : QSslCertificate::fromData(*content, QSsl::Pem);
}

Result<QSslKey> privateKey(const Endpoint& endpoint) {
    const Result<QByteArray> read = readPem(endpoint.privateKeyFile);
    if (!read)
        return read.error();
    const QByteArray& pem = *read;
    if (needsPassphrase(pem) && endpoint.keyPassphrase.isEmpty())
        return Error(ErrorCode::Tls, Cause::KeyPassphraseMissing, {endpoint.privateKeyFile});
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec}) {
        const QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey, endpoint.keyPassphrase);
        if (!key.isNull())
            return key;
    }
    if (needsPassphrase(pem))
        return Error(ErrorCode::Tls, Cause::KeyPassphraseWrong, {endpoint.privateKeyFile});
    return noClientCertificate(endpoint);
}

// A key store in PKCS #12, as Java has it: the key, its certificate, and the authorities between it and the root.
struct KeyStore {
    QSslKey key;
    QList<QSslCertificate> chain;
};

bool isKeyStore(const QByteArray& content) {
    constexpr char sequence = 0x30;  // of DER, which PEM never begins with
    return content.startsWith(sequence) && !content.contains("-----BEGIN");
}

Result<KeyStore> keyStoreIn(QByteArray content, const Endpoint& endpoint) {
    QBuffer device(&content);
    (void)device.open(QIODevice::ReadOnly);
    KeyStore store;
    QSslCertificate certificate;
    QList<QSslCertificate> authorities;
    if (!QSslCertificate::importPkcs12(&device, &store.key, &certificate, &authorities, endpoint.keyPassphrase)) {
        const bool isMissing = endpoint.keyPassphrase.isEmpty();
        return Error(ErrorCode::Tls, isMissing ? Cause::KeyPassphraseMissing : Cause::KeyPassphraseWrong,
                     {endpoint.certificateFile});
    }
    store.chain = QList<QSslCertificate>{certificate} + authorities;
    return store;
}

Result<KeyStore> clientCertificate(const Endpoint& endpoint) {
    const Result<QByteArray> content = readPem(endpoint.certificateFile);
    if (!content)
        return content.error();
    if (isKeyStore(*content) && endpoint.privateKeyFile == endpoint.certificateFile)
        return keyStoreIn(*content, endpoint);
    KeyStore store;
    store.chain = QSslCertificate::fromData(*content, QSsl::Pem);
    if (store.chain.isEmpty())
        return noClientCertificate(endpoint);
    const Result<QSslKey> key = privateKey(endpoint);
    if (!key)
        return key.error();
    store.key = *key;
    return store;
}

Result<QSslConfiguration> configurationFor(const Endpoint& endpoint) {
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    configuration.setProtocol(endpoint.leastTls == TlsVersion::Tls13 ? QSsl::TlsV1_3OrLater : QSsl::TlsV1_2OrLater);
    if (!endpoint.caFile.isEmpty()) {
        const Result<QList<QSslCertificate>> authorities = certificatesIn(endpoint.caFile);
        if (!authorities)
            return authorities.error();
        if (authorities->isEmpty())
            return Error(ErrorCode::Tls, Cause::NoCertificateAuthority, {endpoint.caFile});
        configuration.setCaCertificates(*authorities);
    }
    if (!endpoint.certificateFile.isEmpty()) {
        const Result<KeyStore> client = clientCertificate(endpoint);
        if (!client)
            return client.error();
        configuration.setLocalCertificateChain(client->chain);
        configuration.setPrivateKey(client->key);
    }
    return configuration;
}

// ---- the server's certificate ----

// A wildcard stands for the first label of a name of three labels or more.
bool isNamedBy(const QString& pattern, const QString& host) {
    if (!pattern.startsWith(QLatin1String("*.")))
        return pattern.compare(host, Qt::CaseInsensitive) == 0;
    const qsizetype dot = host.indexOf(QLatin1Char('.'));
    return dot > 0 && pattern.count(QLatin1Char('.')) >= 2 &&
           pattern.mid(1).compare(host.mid(dot), Qt::CaseInsensitive) == 0;
}

bool isFor(const QSslCertificate& certificate, const QString& name) {
    const QMultiMap<QSsl::AlternativeNameEntryType, QString> names = certificate.subjectAlternativeNames();
    const QHostAddress address(name);
    if (!address.isNull()) {
        const QStringList addresses = names.values(QSsl::IpAddressEntry);
        return std::ranges::any_of(addresses, [&address](const QString& one) { return QHostAddress(one) == address; });
    }
    const QString host = QString::fromLatin1(QUrl::toAce(name));
    const QStringList patterns = names.values(QSsl::DnsEntry);
    return !host.isEmpty() &&
           std::ranges::any_of(patterns, [&host](const QString& pattern) { return isNamedBy(pattern, host); });
}

QString listText(const QStringList& names) {
    return bounded(safeText(names.join(QLatin1String(", "))));
}

QStringList namesOf(const QSslCertificate& certificate) {
    const QStringList names = certificate.subjectAlternativeNames().values();
    return names.isEmpty() ? certificate.subjectInfo(QSslCertificate::CommonName) : names;
}

QStringList rightNames(const Endpoint& endpoint) {
    QStringList names = endpoint.announcedNames;
    if (names.isEmpty() || !endpoint.serverName.isEmpty())
        names += tlsPeerName(endpoint);
    names.removeDuplicates();
    return names;
}

QString dateText(const QDateTime& date) {
    return date.toUTC().date().toString(Qt::ISODate);
}

// The cause for an error of Qt; None for the rare ones, for which Qt's own words are used.
Cause causeOf(QSslError::SslError error) {
    switch (error) {
        case QSslError::SelfSignedCertificate:
        case QSslError::SelfSignedCertificateInChain:
        case QSslError::UnableToGetIssuerCertificate:
        case QSslError::UnableToGetLocalIssuerCertificate:
        case QSslError::UnableToVerifyFirstCertificate:
        case QSslError::CertificateUntrusted:
            return Cause::CertificateNotTrusted;
        case QSslError::CertificateExpired:
            return Cause::CertificateExpired;
        case QSslError::CertificateNotYetValid:
            return Cause::CertificateNotYetValid;
        case QSslError::HostNameMismatch:
            return Cause::CertificateOtherHost;
        default:
            return Cause::None;
    }
}

QStringList argumentsOf(Cause cause, const QSslError& error, const Endpoint& endpoint, const QSslCertificate& server) {
    switch (cause) {
        case Cause::CertificateNotTrusted:
            return {listText(server.issuerInfo(QSslCertificate::CommonName))};
        case Cause::CertificateExpired:
            return {dateText(error.certificate().expiryDate())};
        case Cause::CertificateNotYetValid:
            return {dateText(error.certificate().effectiveDate())};
        default:
            return {listText(rightNames(endpoint)), listText(namesOf(server))};
    }
}

// Of several errors, the most informative one: the dates and the names of an unknown authority mean nothing.
Error errorOf(const QList<QSslError>& errors, const Endpoint& endpoint, const QSslCertificate& server) {
    constexpr std::array order{Cause::CertificateNotTrusted, Cause::CertificateExpired, Cause::CertificateNotYetValid,
                               Cause::CertificateOtherHost};
    for (const Cause cause : order) {
        for (const QSslError& error : errors) {
            if (causeOf(error.error()) == cause)
                return Error(ErrorCode::Tls, cause, argumentsOf(cause, error, endpoint, server));
        }
    }
    QStringList reasons;
    for (const QSslError& error : errors)
        reasons += error.errorString();
    return Error(ErrorCode::Tls, reasons.join(QLatin1String("; ")));
}

std::optional<Error> pinRefusal(const QByteArrayList& pinned, const QSslCertificate& certificate) {
    const QByteArray fingerprint = certificate.digest(QCryptographicHash::Sha256);
    if (!certificate.isNull() && pinned.contains(fingerprint))
        return std::nullopt;
    return Error(ErrorCode::Tls, Cause::CertificateNotPinned, {QString::fromLatin1(fingerprint.toHex())});
}

}  // namespace

// OpenSSL keeps its errors about an unreadable key in the thread, and the next read of any TLS connection in that
// thread would fail with them. So the files are read in a separate thread that ends afterwards.
Result<QSslConfiguration> tlsConfiguration(const Endpoint& endpoint) {
    return std::async(std::launch::async, configurationFor, endpoint).get();
}

QString tlsPeerName(const Endpoint& endpoint) {
    if (!endpoint.serverName.isEmpty())
        return endpoint.serverName;
    return endpoint.announcedNames.isEmpty() ? endpoint.host : endpoint.announcedNames.first();
}

std::optional<Error> tlsRefusal(const Endpoint& endpoint, const QSslCertificate& certificate,
                                const QList<QSslError>& found) {
    if (!endpoint.pinned.isEmpty())
        return pinRefusal(endpoint.pinned, certificate);
    const bool isForAnother = std::ranges::any_of(
        endpoint.announcedNames, [&certificate](const QString& name) { return isFor(certificate, name); });
    QList<QSslError> errors = found;
    if (isForAnother)
        errors.removeIf([](const QSslError& error) { return error.error() == QSslError::HostNameMismatch; });
    if (errors.isEmpty())
        return std::nullopt;
    return errorOf(errors, endpoint, certificate);
}

Cause tlsAlertCause(QSsl::AlertType alert) {
    switch (alert) {
        case QSsl::AlertType::ProtocolVersion:
            return Cause::TlsVersionRefused;
        case QSsl::AlertType::CertificateRequired:
            return Cause::ClientCertificateMissing;
        case QSsl::AlertType::BadCertificate:
        case QSsl::AlertType::UnsupportedCertificate:
        case QSsl::AlertType::CertificateRevoked:
        case QSsl::AlertType::CertificateExpired:
        case QSsl::AlertType::CertificateUnknown:
        case QSsl::AlertType::UnknownCa:
            return Cause::ClientCertificateRefused;
        default:
            return Cause::None;
    }
}

}  // namespace lockkeeper::redis
