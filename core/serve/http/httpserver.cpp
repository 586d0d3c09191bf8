// SPDX-License-Identifier: Apache-2.0
#include "serve/http/httpserver.h"

#include "serve/http/httpconnection.h"

#include <QSslSocket>
#include <QTcpServer>

namespace lockkeeper::serve {

class HttpServer::Listener final : public QTcpServer {
public:
    explicit Listener(HttpServer& server) : m_server(server) {}

protected:
    void incomingConnection(qintptr socket) override { m_server.accept(socket); }

private:
    HttpServer& m_server;
};

HttpServer::HttpServer(Handler handler, Clock& clock, const HttpLimits& limits)
    : m_handler(std::move(handler)), m_clock(clock), m_limits(limits) {}

HttpServer::~HttpServer() = default;

Result<Done> HttpServer::listen(const QHostAddress& address, quint16 port) {
    auto listener = std::make_unique<Listener>(*this);
    if (!listener->listen(address, port) && !listenInPlace(*listener, address, port))
        return Error(ErrorCode::Storage, listener->errorString());
    m_listener = std::move(listener);
    return Done();
}

// All addresses of a port, and one of them, exclude each other.
bool HttpServer::listenInPlace(Listener& listener, const QHostAddress& address, quint16 port) {
    if (!m_listener || m_listener->serverPort() != port)
        return false;
    const QHostAddress before = m_listener->serverAddress();
    m_listener->close();
    if (listener.listen(address, port))
        return true;
    m_listener->listen(before, port);  // free until a moment ago
    return false;
}

void HttpServer::close() {
    m_listener.reset();
}

QHostAddress HttpServer::address() const {
    return m_listener ? m_listener->serverAddress() : QHostAddress();
}

quint16 HttpServer::port() const {
    return m_listener ? m_listener->serverPort() : quint16{0};
}

// Each connection is taken, also one too many, which is closed at once: left in the system's queue, it would wait for
// as long as others keep the server busy.
void HttpServer::accept(qintptr descriptor) {
    if (m_open >= m_limits.connections) {
        ++m_refused;
        QTcpSocket refused;
        refused.setSocketDescriptor(descriptor);
        refused.abort();
        return;
    }
    std::unique_ptr<QTcpSocket> socket = m_tls ? std::make_unique<QSslSocket>() : std::make_unique<QTcpSocket>();
    if (!socket->setSocketDescriptor(descriptor))
        return;
    if (auto* secure = qobject_cast<QSslSocket*>(socket.get())) {
        secure->setSslConfiguration(*m_tls);
        secure->startServerEncryption();
    }
    ++m_open;
    auto* connection = new HttpConnection(std::move(socket), m_handler, m_clock, m_limits, this);
    connect(connection, &HttpConnection::answered, this, [this](HttpStatus status) { ++m_answers[status]; });
    connect(connection, &HttpConnection::ended, this, [this] { --m_open; });
}

}  // namespace lockkeeper::serve

#include "moc_httpserver.cpp"
