// SPDX-License-Identifier: Apache-2.0
#include "serve/http/httpconnection.h"

#include <QPointer>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

// Bytes that wait in the socket of a slow reader.
constexpr qsizetype writtenAtOnce = 64 * 1024;
// Bytes behind a request that are read and dropped. With unread ones the system would end the connection by a reset,
// and the client might not see the response.
constexpr qint64 mostDropped = 1024 * 1024;

}  // namespace

HttpConnection::HttpConnection(std::unique_ptr<QTcpSocket> socket, const HttpServer::Handler& handler, Clock& clock,
                               const HttpLimits& limits, QObject* parent)
    : QObject(parent),
      m_handler(handler),
      m_limits(limits),
      m_socket(std::move(socket)),
      m_reader(limits.head),
      m_deadline(clock, [this] { onTimeout(); }) {
    m_socket->setReadBufferSize(limits.head);
    connect(m_socket.get(), &QTcpSocket::readyRead, this, &HttpConnection::read);
    connect(m_socket.get(), &QTcpSocket::bytesWritten, this, &HttpConnection::write);
    connect(m_socket.get(), &QTcpSocket::disconnected, this, &HttpConnection::end);
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, &HttpConnection::end);
    m_deadline.start(limits.request);
}

HttpConnection::~HttpConnection() {
    m_socket->disconnect(this);
}

void HttpConnection::read() {
    if (m_hasEnded)
        return;
    const QByteArray bytes = m_socket->readAll();
    if (m_reader.state() != RequestReader::State::Incomplete) {
        m_dropped += bytes.size();
        if (m_dropped > mostDropped)
            end();
        return;
    }
    switch (m_reader.add(bytes)) {
        case RequestReader::State::Incomplete:
            return;
        case RequestReader::State::Refused:
            return send(plainResponse(m_reader.refusal()));
        case RequestReader::State::Complete:
            return handle();
    }
}

void HttpConnection::handle() {
    m_deadline.start(m_limits.response);
    m_handler(m_reader.request(), [self = QPointer(this)](const HttpResponse& response) {
        if (self)
            self->send(response);
    });
}

void HttpConnection::send(const HttpResponse& response) {
    if (m_hasEnded || std::exchange(m_isAnswered, true))
        return;
    m_deadline.start(m_limits.response);
    Q_EMIT answered(response.status);
    m_output = headOf(response);
    const bool isHead =
        m_reader.state() == RequestReader::State::Complete && m_reader.request().method == HttpRequest::Method::Head;
    if (!isHead)
        m_output += response.body;
    write();
}

void HttpConnection::write() {
    if (!m_isAnswered || m_hasEnded)
        return;
    const qsizetype room = writtenAtOnce - static_cast<qsizetype>(m_socket->bytesToWrite());
    const qsizetype next = std::min(room, m_output.size() - m_written);
    if (next > 0)
        m_written += std::max<qint64>(0, m_socket->write(m_output.constData() + m_written, next));
    if (m_written == m_output.size())
        m_socket->disconnectFromHost();  // once everything is written
}

void HttpConnection::onTimeout() {
    // A client that has sent a part of a request may learn why; one that has sent nothing, or does not read, is a
    // connection that nobody needs.
    if (!m_isAnswered && m_reader.hasBegun())
        return send(plainResponse(m_reader.state() == RequestReader::State::Incomplete ? HttpStatus::RequestTimeout
                                                                                       : HttpStatus::Unavailable));
    end();
}

void HttpConnection::end() {
    if (std::exchange(m_hasEnded, true))
        return;
    m_deadline.stop();
    m_socket->disconnect(this);
    m_socket->abort();
    Q_EMIT ended();
    deleteLater();
}

}  // namespace lockkeeper::serve

#include "moc_httpconnection.cpp"
