// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/webrequest.h"

#include "base/safetext.h"
#include "jvm/fetch/dumpplan.h"
#include "jvm/fetch/fetchcause.h"
#include "redis/tlspolicy.h"

#include <QNetworkCookieJar>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslConfiguration>

#include <algorithm>

namespace lockkeeper::jvm {

namespace {

constexpr qint64 readAhead = 1024 * 1024;  // bytes that Qt keeps before they are read
constexpr int firstRedirect = 300;
constexpr int firstFailure = 400;
constexpr int unauthorized = 401;
constexpr int forbidden = 403;
constexpr int notFound = 404;

ErrorCode codeOf(QNetworkReply::NetworkError error) {
    switch (error) {
        case QNetworkReply::ConnectionRefusedError:
            return ErrorCode::ConnectionRefused;
        case QNetworkReply::HostNotFoundError:
            return ErrorCode::HostNotFound;
        case QNetworkReply::SslHandshakeFailedError:
            return ErrorCode::Tls;
        default:
            return ErrorCode::ConnectionLost;
    }
}

}  // namespace

WebRequest::WebRequest(QUrl url, redis::Credentials credentials, const QString& caFile, qsizetype limit)
    : m_url(std::move(url)), m_credentials(std::move(credentials)), m_limit(limit) {
    m_tls.host = m_url.host();
    m_tls.caFile = caFile;
    m_network.setProxy(QNetworkProxy::NoProxy);
}

WebRequest::~WebRequest() {
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
    }
}

Completion<QByteArray> WebRequest::start() {
    QHostInfo::lookupHost(m_url.host(), this, [this](const QHostInfo& info) { onFound(info); });
    return m_done;
}

// From the event loop: the receiver may delete this object, and with it the reply that reports.
void WebRequest::finish(const Result<QByteArray>& result) {
    QMetaObject::invokeMethod(
        this, [this, result] { m_done.complete(result); }, Qt::QueuedConnection);
}

// If any of its addresses is forbidden, the name is not trusted.
void WebRequest::onFound(const QHostInfo& info) {
    const QList<QHostAddress> addresses = info.addresses();
    if (addresses.isEmpty())
        return finish(Error(ErrorCode::HostNotFound, info.errorString()));
    const auto bad = std::ranges::find_if(addresses, isForbidden);
    if (bad != addresses.end())
        return finish(Error(ErrorCode::NotPermitted, FetchCause::ForbiddenAddress, {bad->toString()}));
    send(addresses.first());
}

// Connects to the address that was checked: a second look-up of the name could lead to another one.
void WebRequest::send(const QHostAddress& address) {
    QUrl url = m_url;
    url.setHost(address.toString());
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    const QString port = m_url.port() < 0 ? QString() : QStringLiteral(":%1").arg(m_url.port());
    const QString host = m_url.host().contains(u':') ? QStringLiteral("[%1]").arg(m_url.host()) : m_url.host();
    request.setRawHeader("Host", (host + port).toUtf8());
    request.setRawHeader("Accept", "application/json, text/plain;q=0.9");
    request.setRawHeader("Accept-Encoding", "identity");  // what is read is what is counted
    request.setRawHeader("User-Agent", "lockkeeper");
    if (!m_credentials.user.isEmpty())
        request.setRawHeader("Authorization",
                             "Basic " + (m_credentials.user + ':' + m_credentials.password).toBase64());
    if (m_url.scheme() == QLatin1String("https")) {
        const Result<QSslConfiguration> tls = redis::tlsConfiguration(m_tls);
        if (!tls)
            return finish(tls.error());
        request.setSslConfiguration(*tls);
        request.setPeerVerifyName(m_url.host());
    }
    m_reply = m_network.get(request);
    m_reply->setReadBufferSize(readAhead);
    connect(m_reply, &QNetworkReply::sslErrors, this, [this](const QList<QSslError>& errors) {
        m_tlsError = redis::tlsRefusal(m_tls, errors.first().certificate(), errors);
    });
    connect(m_reply, &QNetworkReply::readyRead, this, &WebRequest::readBody);
    connect(m_reply, &QNetworkReply::finished, this, &WebRequest::onEnded);
}

void WebRequest::readBody() {
    m_body += m_reply->readAll();
    if (m_body.size() <= m_limit)
        return;
    m_reply->disconnect(this);
    finish(tooMuch(m_limit));
}

void WebRequest::onEnded() {
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (const std::optional<Error> refused = refusalBy(status))
        return finish(*refused);
    if (m_reply->error() != QNetworkReply::NoError)
        return finish(failure());
    m_body += m_reply->readAll();
    finish(m_body.size() > m_limit ? Result<QByteArray>(tooMuch(m_limit)) : m_body);
}

std::optional<Error> WebRequest::refusalBy(int status) const {
    const QString number = QString::number(status);
    if (status < firstRedirect)
        return std::nullopt;
    if (status < firstFailure) {
        const QString to = QString::fromLatin1(m_reply->rawHeader("Location"));
        return Error(ErrorCode::Protocol, FetchCause::Redirected, {bounded(safeText(to))});
    }
    if (status == unauthorized || status == forbidden)
        return Error(ErrorCode::Auth, FetchCause::LoginRefused, {number});
    return Error(ErrorCode::Protocol, status == notFound ? FetchCause::NotExposed : FetchCause::BadStatus, {number});
}

Error WebRequest::failure() const {
    if (m_tlsError)
        return *m_tlsError;
    return Error(codeOf(m_reply->error()), bounded(safeText(m_reply->errorString())));
}

}  // namespace lockkeeper::jvm
