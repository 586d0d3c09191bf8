// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>

namespace lockkeeper::test {

// A line to a server of 127.0.0.1 that a test cuts. While it is cut, those who connect are sent away at once.
class BrittleLine {
public:
    explicit BrittleLine(quint16 target) : m_target(target) {
        QObject::connect(&m_listener, &QTcpServer::newConnection, &m_listener, [this] {
            while (QTcpSocket* client = m_listener.nextPendingConnection())
                forward(client);
        });
        if (!m_listener.listen(QHostAddress::LocalHost))
            qFatal("cannot listen on any port of 127.0.0.1: %s", qPrintable(m_listener.errorString()));
    }

    [[nodiscard]] QString address() const { return QStringLiteral("127.0.0.1:%1").arg(m_listener.serverPort()); }
    [[nodiscard]] bool isCut() const noexcept { return m_isCut; }
    void cut() {
        m_isCut = true;
        for (const QPointer<QTcpSocket>& client : std::as_const(m_clients)) {
            if (client)
                client->abort();
        }
        m_clients.clear();
    }
    // The server gets the next command that contains this, and nobody gets the answer.
    void cutBehind(const QByteArray& command) { m_last = command; }
    void mend() { m_isCut = false; }

private:
    void forward(QTcpSocket* client) {
        QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        if (m_isCut)
            return client->abort();
        m_clients += client;
        auto* server = new QTcpSocket(&m_listener);  // it still sends what came before the cut
        server->connectToHost(QHostAddress::LocalHost, m_target);
        QObject::connect(client, &QTcpSocket::readyRead, server, [this, client, server] {
            const QByteArray sent = client->readAll();
            server->write(sent);
            if (!m_last.isEmpty() && sent.contains(m_last)) {
                m_last.clear();
                cut();
            }
        });
        QObject::connect(client, &QTcpSocket::disconnected, server, &QTcpSocket::disconnectFromHost);
        QObject::connect(server, &QTcpSocket::disconnected, server, &QObject::deleteLater);
        QObject::connect(server, &QTcpSocket::readyRead, client, [client, server] { client->write(server->readAll()); });
        QObject::connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    }

    const quint16 m_target;
    QTcpServer m_listener;
    QList<QPointer<QTcpSocket>> m_clients;
    QByteArray m_last;
    bool m_isCut = false;
};

}  // namespace lockkeeper::test
