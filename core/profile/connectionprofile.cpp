// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"

#include "base/exacttext.h"

#include <QUrl>
#include <QUrlQuery>

#include <array>

namespace lockkeeper::profile {

namespace {

enum class SchemeKind { Tcp, Tls, Unix };

struct Scheme {
    QLatin1String name;
    SchemeKind kind;
};

constexpr std::array schemes{Scheme{QLatin1String("redis"), SchemeKind::Tcp},       Scheme{QLatin1String("valkey"), SchemeKind::Tcp},
                             Scheme{QLatin1String("rediss"), SchemeKind::Tls},      Scheme{QLatin1String("valkeys"), SchemeKind::Tls},
                             Scheme{QLatin1String("redis+unix"), SchemeKind::Unix}, Scheme{QLatin1String("unix"), SchemeKind::Unix}};

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

std::optional<SchemeKind> schemeKind(const QString& scheme) {
    for (const Scheme& known : schemes) {
        if (scheme == known.name)
            return known.kind;
    }
    return std::nullopt;
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

// The query part of the URL. Unknown keys are refused: a misspelt "ca" must not silently switch to the system's
// authorities.
std::optional<Error> applyQuery(const QUrl& url, SchemeKind kind, ConnectionProfile& profile) {
    for (const auto& [encodedKey, encodedValue] : QUrlQuery(url).queryItems(QUrl::FullyEncoded)) {
        const QString key = QUrl::fromPercentEncoding(encodedKey.toLatin1());
        const QByteArray bytes = QByteArray::fromPercentEncoding(encodedValue.toLatin1());
        const QString value = textOf(bytes);
        if (key == QLatin1String("db")) {
            const std::optional<int> number = databaseNumber(value);
            if (!number)
                return invalid(Cause::UrlDatabase);
            profile.database = *number;
        } else if (kind == SchemeKind::Tls && key == QLatin1String("ca")) {
            profile.endpoint.caFile = value;
        } else if (kind == SchemeKind::Tls && key == QLatin1String("cert")) {
            profile.endpoint.certificateFile = value;
        } else if (kind == SchemeKind::Tls && key == QLatin1String("key")) {
            profile.endpoint.privateKeyFile = value;
        } else if (kind == SchemeKind::Tls && key == QLatin1String("sni")) {
            profile.endpoint.serverName = value;
        } else {
            const Result<bool> applied = applyDiscovery(key, bytes, profile.discovery);
            if (!applied)
                return applied.error();
            if (!*applied)
                return invalid(Cause::UrlOptionUnknown, {key});
        }
    }
    return std::nullopt;
}

std::optional<Error> applyTcp(const QUrl& url, ConnectionProfile& profile) {
    if (url.host().isEmpty())
        return invalid(Cause::UrlHostMissing);
    profile.endpoint.host = url.host();
    profile.endpoint.port = static_cast<quint16>(url.port(6379));
    const std::optional<int> number = databaseNumber(QStringView(url.path()).mid(1));
    if (!number)
        return invalid(Cause::UrlPathDatabase);
    profile.database = *number;
    return std::nullopt;
}

std::optional<Error> applyUnix(const QUrl& url, ConnectionProfile& profile) {
    if (!url.host().isEmpty() || url.path().isEmpty())
        return invalid(Cause::UrlUnixPath);
    profile.endpoint.unixPath = url.path(QUrl::FullyDecoded);
    return std::nullopt;
}

QString withScheme(const QString& text) {
    if (text.startsWith(QLatin1Char('/')))
        return QLatin1String("unix://") + QString::fromLatin1(QUrl::toPercentEncoding(text, "/"));
    return text.contains(QLatin1String("://")) ? text : QLatin1String("redis://") + text;
}

}  // namespace

Result<ConnectionProfile> ConnectionProfile::fromUrl(const QString& text) {
    if (text.trimmed().isEmpty())
        return invalid(Cause::UrlEmpty);
    const QUrl url(withScheme(text.trimmed()), QUrl::StrictMode);
    if (!url.isValid())
        return invalid(Cause::UrlMalformed);
    const std::optional<SchemeKind> kind = schemeKind(url.scheme());
    if (!kind)
        return invalid(Cause::UrlScheme, {url.scheme()});
    if (url.port() == 0 || url.hasFragment())
        return invalid(url.hasFragment() ? Cause::UrlFragment : Cause::UrlPortZero);
    ConnectionProfile profile;
    profile.endpoint.security = *kind == SchemeKind::Tls ? redis::Security::Tls : redis::Security::Plain;
    profile.credentials.user = url.userName(QUrl::FullyDecoded).toUtf8();
    profile.credentials.password = url.password(QUrl::FullyDecoded).toUtf8();
    std::optional<Error> error = *kind == SchemeKind::Unix ? applyUnix(url, profile) : applyTcp(url, profile);
    if (!error)
        error = applyQuery(url, *kind, profile);
    if (error)
        return *error;
    profile.id = profile.addressId();
    return profile;
}

ProfileId ConnectionProfile::addressId() const {
    // Encoded, because JSON and other formats change some characters (a byte order mark, U+FFFE).
    const QByteArray address = credentials.user + '@' + endpoint.display().toUtf8() + '/' + QByteArray::number(database);
    return ProfileId(encoded(address, "@/:[]"));
}

redis::ConnectionOptions ConnectionProfile::connectionOptions() const {
    redis::ConnectionOptions options;
    options.endpoint = endpoint;
    options.credentials = credentials;
    options.database = database;
    options.access = access;
    return options;
}

QString ConnectionProfile::display() const {
    return database == 0 ? endpoint.display() : QStringLiteral("%1/%2").arg(endpoint.display()).arg(database);
}

QString ConnectionProfile::urlWithoutPassword() const {
    QUrl url;
    QUrlQuery query;
    if (endpoint.unixPath.isEmpty()) {
        const bool tls = endpoint.security == redis::Security::Tls;
        url.setScheme(tls ? QStringLiteral("rediss") : QStringLiteral("redis"));
        url.setHost(endpoint.host);
        url.setPort(endpoint.port);
        if (database != 0)
            url.setPath(QLatin1Char('/') + QString::number(database));
        const std::array<std::pair<const char*, QString>, 4> options{{{"ca", endpoint.caFile},
                                                                      {"cert", endpoint.certificateFile},
                                                                      {"key", endpoint.privateKeyFile},
                                                                      {"sni", endpoint.serverName}}};
        for (const auto& [key, value] : options) {
            if (!value.isEmpty())
                query.addQueryItem(QLatin1String(key), encoded(value.toUtf8(), "/"));
        }
    } else {
        url.setScheme(QStringLiteral("unix"));
        url.setHost(QStringLiteral(""));  // set but empty, so that the URL gets three slashes
        url.setPath(endpoint.unixPath);
        if (database != 0)
            query.addQueryItem(QStringLiteral("db"), QString::number(database));
    }
    addDiscovery(discovery, query);
    if (!query.isEmpty())
        url.setQuery(query);
    if (!credentials.user.isEmpty())
        url.setUserName(textOf(credentials.user));
    return url.toString(QUrl::FullyEncoded);
}

}  // namespace lockkeeper::profile
