// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/ownread.h"

#include <QPointer>
#include <QSet>
#include <QTcpServer>
#include <QTcpSocket>

namespace lockkeeper::test {

// A line to a server of 127.0.0.1 that a test cuts. While it is cut, new connections are closed: at once, or when the
// line is mended.
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
    // How many clients have connected while the line was cut.
    [[nodiscard]] int refused() const noexcept { return m_refused; }
    void cut() {
        m_isCut = true;
        for (const QPointer<QTcpSocket>& client : std::as_const(m_clients)) {
            if (client)
                client->abort();
        }
        m_clients.clear();
    }
    // The server gets the next command that contains this and is not isOwnRead(), but the client does not get the
    // answer.
    void cutBehind(const QByteArray& command) { m_last = command; }
    void letWaitWhileCut() { m_letsWait = true; }
    void mend() {
        if (m_letsWait)
            cut();
        m_isCut = false;
    }
    // As cutBehind(), but the answer is kept, to be sent later.
    void keepBackBehind(const QByteArray& command) { m_lastAnswered = command; }
    [[nodiscard]] bool keepsBack() const noexcept { return m_keepsBack; }
    // Whether a connection was sent a script that is not isOwnRead(), and has had no answer since.
    [[nodiscard]] bool awaitsScript() const noexcept { return !m_awaitScript.isEmpty(); }
    void letPass() {
        m_keepsBack = false;
        for (const QPointer<QTcpSocket>& server : std::as_const(m_servers)) {
            if (server)
                Q_EMIT server->readyRead();
        }
    }

private:
    void forward(QTcpSocket* client) {
        QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        if (m_isCut) {
            ++m_refused;
            return m_letsWait ? m_clients.push_back(client) : client->abort();
        }
        m_clients += client;
        auto* server = new QTcpSocket(&m_listener);  // the socket still sends what came before the cut
        m_servers += server;
        server->connectToHost(QHostAddress::LocalHost, m_target);
        QObject::connect(client, &QTcpSocket::readyRead, server, [this, client, server] {
            const QByteArray sent = client->readAll();
            server->write(sent);
            if (sent.contains("\r\nEVAL") && !isOwnRead(sent))
                m_awaitScript += server;
            if (!m_last.isEmpty() && sent.contains(m_last) && !isOwnRead(sent)) {
                m_last.clear();
                cut();
            }
            if (!m_lastAnswered.isEmpty() && sent.contains(m_lastAnswered) && !isOwnRead(sent)) {
                m_lastAnswered.clear();
                m_keepsBack = true;
            }
        });
        QObject::connect(client, &QTcpSocket::disconnected, server, &QTcpSocket::disconnectFromHost);
        QObject::connect(server, &QTcpSocket::disconnected, server, &QObject::deleteLater);
        QObject::connect(server, &QTcpSocket::readyRead, client, [this, client, server] {
            m_awaitScript.remove(server);
            if (!m_keepsBack)
                client->write(server->readAll());
        });
        QObject::connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    }

    const quint16 m_target;
    QTcpServer m_listener;
    QList<QPointer<QTcpSocket>> m_clients;
    QList<QPointer<QTcpSocket>> m_servers;
    QByteArray m_last;
    QByteArray m_lastAnswered;
    bool m_isCut = false;
    bool m_letsWait = false;
    int m_refused = 0;
    bool m_keepsBack = false;
    QSet<QTcpSocket*> m_awaitScript;
};

}  // namespace lockkeeper::test
