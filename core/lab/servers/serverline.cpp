// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/serverline.h"

#include <QLocalSocket>
#include <QTcpSocket>

namespace lockkeeper::lab {

ServerLine::ServerLine(QObject* parent) : QObject(parent) {
    connect(&m_listener, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* client = m_listener.nextPendingConnection())
            accept(client);
    });
}

std::optional<Error> ServerLine::listen() {
    if (m_listener.listen(QHostAddress::LocalHost))
        return std::nullopt;
    return Error(ErrorCode::ConnectionRefused, Cause::ServerNotStarted, {m_listener.errorString()});
}

void ServerLine::cut(Whose connections) {
    m_cut = connections;
    passAll();
}

void ServerLine::resumeReplication() {
    m_isReplicationHeld = false;
    passAll();
}

void ServerLine::accept(QTcpSocket* client) {
    auto* server = new QLocalSocket(client);
    std::erase_if(m_pairs, [](const Pair& one) { return !one.client; });
    m_pairs.push_back({client, server});
    const auto passIt = [this, pair = &m_pairs.back(), alive = QPointer(client)] {
        if (alive)
            pass(*pair);
    };
    connect(client, &QTcpSocket::readyRead, server, passIt);
    connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    connect(server, &QLocalSocket::readyRead, this, passIt);
    connect(server, &QLocalSocket::connected, client, passIt);
    connect(server, &QLocalSocket::stateChanged, client, passIt);
    server->connectToServer(m_serverSocket);
}

bool ServerLine::isCut(const Pair& pair) const {
    return m_cut == Whose::Everybodys || (m_cut == Whose::Replicas && pair.isReplicas);
}

bool ServerLine::isHeld(const Pair& pair) const {
    return isCut(pair) || (m_isReplicationHeld && pair.isReplicas);
}

// Only a replica sends REPLCONF; it does so before it gets any data.
void ServerLine::pass(Pair& pair) const {
    if (!pair.client || !pair.server)
        return;
    const bool isOver = pair.server->state() == QLocalSocket::UnconnectedState;
    if (!isCut(pair) && pair.server->isOpen()) {
        const QByteArray sent = pair.client->readAll();
        pair.isReplicas = pair.isReplicas || sent.contains("REPLCONF");
        pair.server->write(sent);
    }
    if (isHeld(pair))
        return;
    if (pair.server->isOpen())
        pair.client->write(pair.server->readAll());
    if (isOver)
        pair.client->disconnectFromHost();
}

void ServerLine::passAll() {
    for (Pair& pair : m_pairs)
        pass(pair);
}

}  // namespace lockkeeper::lab

#include "moc_serverline.cpp"
