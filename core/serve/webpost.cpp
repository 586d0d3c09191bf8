// SPDX-License-Identifier: Apache-2.0
#include "serve/webpost.h"

#include "serve/servecause.h"

#include <QSslError>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

constexpr int httpPort = 80;
constexpr int httpsPort = 443;
const auto https = QStringLiteral("https");
constexpr int informational = 200;  // a status below is followed by another answer

Error tooLarge(qsizetype limit) {
    return Error(ErrorCode::Protocol, ServeCause::AnswerTooLarge, {QString::number(limit)});
}

ErrorCode codeOf(QAbstractSocket::SocketError error) {
    switch (error) {
        case QAbstractSocket::HostNotFoundError:
            return ErrorCode::HostNotFound;
        case QAbstractSocket::ConnectionRefusedError:
            return ErrorCode::ConnectionRefused;
        case QAbstractSocket::SslHandshakeFailedError:
            return ErrorCode::Tls;
        default:
            return ErrorCode::ConnectionLost;
    }
}

// "HTTP/1.1 204 No Content"
std::optional<int> statusFrom(const QByteArray& line) {
    const QByteArrayList words = line.split(' ');
    bool ok = false;
    const int status = words.value(1).toInt(&ok);
    constexpr int least = 100;
    constexpr int most = 599;
    return line.startsWith("HTTP/1.") && ok && status >= least && status <= most ? std::optional(status) : std::nullopt;
}

// The content of what has been received of a chunked body; nothing: it is not whole yet. An error: it is no such body.
Result<std::optional<QByteArray>> unchunked(const QByteArray& received) {
    constexpr int hex = 16;
    QByteArray content;
    for (qsizetype place = 0;;) {
        const qsizetype end = received.indexOf("\r\n", place);
        if (end < 0)
            return std::optional<QByteArray>();
        bool ok = false;
        const qint64 size = received.sliced(place, end - place).split(';').first().trimmed().toLongLong(&ok, hex);
        if (!ok || size < 0 || size > WebPost::largestBody)
            return Error(ErrorCode::Protocol, ServeCause::NotHttp);
        if (size == 0)
            return std::optional(content);
        if (received.size() < end + 2 + size + 2)
            return std::optional<QByteArray>();
        content += received.sliced(end + 2, size);
        place = end + 2 + size + 2;
    }
}

}  // namespace

WebPost::WebPost(WebRequest request, Clock& clock, QObject* parent)
    : QObject(parent),
      m_request(std::move(request)),
      m_patience(clock, [this] { finish(Error(ErrorCode::Timeout, Cause::NoAnswerInTime)); }) {
    connect(&m_socket, &QSslSocket::readyRead, this, &WebPost::read);
    connect(&m_socket, &QSslSocket::disconnected, this, &WebPost::onDisconnected);
    connect(&m_socket, &QSslSocket::errorOccurred, this, &WebPost::onSocketError);
    connect(&m_socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError>& errors) {
        if (!errors.isEmpty())
            m_tlsError = Error(ErrorCode::Tls, errors.first().errorString());
    });
}

void WebPost::start() {
    m_patience.start(m_request.patience);
    const bool isTls = m_request.url.scheme() == https;
    const auto port = static_cast<quint16>(m_request.url.port(isTls ? httpsPort : httpPort));
    if (isTls) {
        QSslConfiguration tls = m_request.tls;
        tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
        m_socket.setSslConfiguration(tls);
        connect(&m_socket, &QSslSocket::encrypted, this, &WebPost::send);
        m_socket.connectToHostEncrypted(m_request.url.host(QUrl::FullyEncoded), port);
    } else {
        connect(&m_socket, &QSslSocket::connected, this, &WebPost::send);
        m_socket.connectToHost(m_request.url.host(QUrl::FullyEncoded), port);
    }
}

void WebPost::send() {
    const QByteArray path = m_request.url.path(QUrl::FullyEncoded).toLatin1();
    const QByteArray query = m_request.url.query(QUrl::FullyEncoded).toLatin1();
    QByteArray host = m_request.url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':'))
        host = '[' + host + ']';
    if (m_request.url.port() >= 0)
        host += ':' + QByteArray::number(m_request.url.port());
    QByteArray head = "POST " + (path.isEmpty() ? QByteArrayLiteral("/") : path) +
                      (query.isEmpty() ? QByteArray() : '?' + query) + " HTTP/1.1\r\nHost: " + host +
                      "\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: " +
                      QByteArray::number(m_request.body.size()) + "\r\n";
    for (const auto& [name, value] : m_request.headers)
        head += name + ": " + value + "\r\n";
    m_socket.write(head + "\r\n" + m_request.body);
}

void WebPost::read() {
    if (m_isFinished)
        return;
    // What an endless answer has beyond the limits is never read.
    const qsizetype room = (m_isInBody ? 2 * largestBody : largestHead) + 1 - m_received.size();
    m_received += m_socket.read(std::max<qsizetype>(room, 0));
    if (!m_isInBody && !readHead())
        return;
    readBody();
    if (!m_isFinished && m_socket.bytesAvailable() > 0)
        QMetaObject::invokeMethod(this, &WebPost::read, Qt::QueuedConnection);
}

// Whether the head is whole, and the body is needed.
bool WebPost::readHead() {
    for (;;) {
        const qsizetype end = m_received.indexOf("\r\n\r\n");
        if (end > largestHead || (end < 0 && m_received.size() > largestHead)) {
            finish(tooLarge(largestHead));
            return false;
        }
        if (end < 0)
            return false;
        const QByteArrayList lines = m_received.first(end).split('\n');
        const std::optional<int> status = statusFrom(lines.first().trimmed());
        if (!status) {
            finish(Error(ErrorCode::Protocol, ServeCause::NotHttp));
            return false;
        }
        m_received = m_received.sliced(end + 4);
        if (*status < informational)
            continue;
        m_answer.status = *status;
        for (const QByteArray& line : lines) {
            const qsizetype joint = line.indexOf(':');
            const QByteArray name = line.left(joint).toLower();
            const QByteArray value = line.mid(joint + 1).trimmed();
            if (name == "content-length")
                m_length = value.toLongLong();
            else if (name == "transfer-encoding")
                m_isChunked = value.toLower().endsWith("chunked");
            else if (name == "retry-after")
                m_answer.retryAfter = value;
        }
        m_isInBody = true;
        if (m_request.needsBody)
            return true;
        finish(m_answer);
        return false;
    }
}

void WebPost::readBody() {
    if (m_received.size() > 2 * largestBody || m_length.value_or(0) > largestBody)
        return finish(tooLarge(largestBody));
    if (m_isChunked) {
        const Result<std::optional<QByteArray>> content = unchunked(m_received);
        if (!content)
            return finish(content.error());
        if (!*content)
            return;
        m_answer.body = **content;
    } else {
        if (!m_length || m_received.size() < *m_length)
            return;
        m_answer.body = m_received.first(static_cast<qsizetype>(std::max<qint64>(*m_length, 0)));
    }
    if (m_answer.body.size() > largestBody)
        return finish(tooLarge(largestBody));
    finish(m_answer);
}

// A body without a length ends with the connection.
void WebPost::onDisconnected() {
    if (m_isFinished)
        return;
    read();
    if (m_isFinished)
        return;
    const bool isWhole = m_isInBody && !m_isChunked && !m_length && m_received.size() <= largestBody;
    m_answer.body = m_received;
    finish(isWhole ? Result<WebAnswer>(m_answer)
                   : Result<WebAnswer>(Error(ErrorCode::ConnectionLost, ServeCause::AnswerCutOff)));
}

void WebPost::onSocketError(QAbstractSocket::SocketError error) {
    if (m_isFinished || error == QAbstractSocket::RemoteHostClosedError)
        return;  // disconnected() follows
    finish(m_tlsError.value_or(Error(codeOf(error), m_socket.errorString())));
}

void WebPost::finish(const Result<WebAnswer>& answer) {
    if (std::exchange(m_isFinished, true))
        return;
    m_patience.stop();
    // The socket may be in the middle of its own signal.
    QMetaObject::invokeMethod(
        this,
        [this, answer] {
            m_socket.abort();
            Q_EMIT finished(answer);
        },
        Qt::QueuedConnection);
}

}  // namespace lockkeeper::serve

#include "serve/moc_webpost.cpp"
