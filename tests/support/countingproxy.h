// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTcpServer>
#include <QTcpSocket>

namespace lockkeeper::test {

// A proxy in front of a server of 127.0.0.1 that counts connections, also those that the server does not count: TLS
// connections that end before they are encrypted.
class CountingProxy {
public:
    explicit CountingProxy(quint16 target) : m_target(target) {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket* client = m_server.nextPendingConnection())
                forward(*client);
        });
        if (!m_server.listen(QHostAddress::LocalHost))
            qFatal("cannot listen on any port of 127.0.0.1: %s", qPrintable(m_server.errorString()));
    }

    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] int accepted() const noexcept { return m_accepted; }

private:
    void forward(QTcpSocket& client) {
        ++m_accepted;
        auto* server = new QTcpSocket(&client);
        server->connectToHost(QHostAddress::LocalHost, m_target);
        pass(client, *server);
        pass(*server, client);
        QObject::connect(&client, &QTcpSocket::disconnected, &client, &QObject::deleteLater);
    }
    static void pass(QTcpSocket& from, QTcpSocket& to) {
        QObject::connect(&from, &QTcpSocket::readyRead, &to, [&from, &to] { to.write(from.readAll()); });
        QObject::connect(&from, &QTcpSocket::disconnected, &to, [&to] { to.disconnectFromHost(); });
    }

    const quint16 m_target;
    QTcpServer m_server;
    int m_accepted = 0;
};

}  // namespace lockkeeper::test
