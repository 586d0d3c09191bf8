// SPDX-License-Identifier: Apache-2.0
#include "support/badserver.h"

#include <QTcpSocket>

namespace lockkeeper::test {

BadServer::BadServer(Script script) : m_script(std::move(script)) {
    QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] { accept(); });
    if (!m_server.listen(QHostAddress::LocalHost))
        qFatal("cannot listen on any port of 127.0.0.1: %s", qPrintable(m_server.errorString()));
}

redis::ConnectionOptions BadServer::options() const {
    redis::ConnectionOptions options;
    options.endpoint.port = port();
    return options;
}

void BadServer::accept() {
    ++m_connections;
    QTcpSocket* peer = m_server.nextPendingConnection();
    peer->write(m_script.greeting);
    const auto answer = [this, peer] {
        peer->readAll();
        peer->write(m_script.answer);
        if (m_script.afterwards == Afterwards::Close)
            peer->disconnectFromHost();
    };
    QObject::connect(peer, &QTcpSocket::readyRead, &m_server, answer, Qt::SingleShotConnection);
}

}  // namespace lockkeeper::test
