// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTcpServer>
#include <QTcpSocket>

#include <functional>

namespace lockkeeper::test {

// A line to a server of 127.0.0.1 that keeps all answers from the first EVAL on.
class LateAnswers {
public:
    explicit LateAnswers(quint16 target) {
        QObject::connect(&m_listener, &QTcpServer::newConnection, &m_listener, [this, target] {
            while (QTcpSocket* client = m_listener.nextPendingConnection())
                forward(client, target);
        });
        if (!m_listener.listen(QHostAddress::LocalHost))
            qFatal("cannot listen on any port of 127.0.0.1: %s", qPrintable(m_listener.errorString()));
    }

    [[nodiscard]] QString address() const { return QStringLiteral("127.0.0.1:%1").arg(m_listener.serverPort()); }
    // All connections so far, also those that have ended.
    [[nodiscard]] qsizetype connections() const noexcept { return m_servers.size(); }
    void letPass() {
        m_passes = true;
        for (QTcpSocket* server : m_servers)
            Q_EMIT server->readyRead();
    }
    // Ends the connections. Clients that connect again get their answers.
    void cut() {
        m_passes = true;
        for (QTcpSocket* server : std::as_const(m_servers))
            server->abort();
    }

    // Called once, before the server gets the first EVAL.
    std::function<void()> beforeScript = [] {};

private:
    void forward(QTcpSocket* client, quint16 target) {
        auto* server = new QTcpSocket(&m_listener);  // the socket still sends what came before the client's end
        server->connectToHost(QHostAddress::LocalHost, target);
        m_servers += server;
        QObject::connect(client, &QTcpSocket::readyRead, server, [this, client, server] {
            const QByteArray sent = client->readAll();
            if (sent.contains("$4\r\nEVAL\r\n") && !std::exchange(m_keepsBack, true))
                beforeScript();
            server->write(sent);
        });
        QObject::connect(client, &QTcpSocket::disconnected, server, &QTcpSocket::disconnectFromHost);
        QObject::connect(server, &QTcpSocket::readyRead, client, [this, client, server] {
            if (!m_keepsBack || m_passes)
                client->write(server->readAll());
        });
        QObject::connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    }

    QTcpServer m_listener;
    QList<QTcpSocket*> m_servers;
    bool m_keepsBack = false;
    bool m_passes = false;
};

}  // namespace lockkeeper::test
