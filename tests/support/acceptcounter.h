// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTcpServer>
#include <QTcpSocket>

namespace lockkeeper::test {

// Listens in place of a server that has ended, and counts connections. No client gets an answer.
class AcceptCounter {
public:
    explicit AcceptCounter(quint16 port) {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket* peer = m_server.nextPendingConnection()) {
                ++m_accepted;
                peer->abort();
                peer->deleteLater();
            }
        });
        if (!m_server.listen(QHostAddress::LocalHost, port))
            qFatal("cannot listen on port %d: %s", port, qPrintable(m_server.errorString()));
    }

    [[nodiscard]] int accepted() const noexcept { return m_accepted; }

private:
    QTcpServer m_server;
    int m_accepted = 0;
};

}  // namespace lockkeeper::test
