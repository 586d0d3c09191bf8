// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/serverline.h"

#include "lab/labcause.h"
#include "redis/sockettransport.h"

#include <QTcpSocket>
#include <QtEndian>

namespace lockkeeper::lab {

namespace {

// A message of the bus begins with RCmb, its length in 4 bytes, the version in 2, and the port of the sending node
// (clusterMsg in cluster.h of Redis 7.0). 0: the bytes are not such a message.
quint16 nodeThatSends(const QByteArray& begin) {
    constexpr qsizetype portAt = 10;
    const bool isOfBus = begin.startsWith("RCmb") && begin.size() >= portAt + qsizetype(sizeof(quint16));
    return isOfBus ? qFromBigEndian<quint16>(begin.constData() + portAt) : quint16(0);
}

}  // namespace

ServerLine::ServerLine(QObject* parent) : QObject(parent) {
    connect(&m_listener, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* client = m_listener.nextPendingConnection())
            accept(client);
    });
}

std::optional<Error> ServerLine::listen() {
    if (m_listener.listen(QHostAddress::LocalHost))
        return std::nullopt;
    return Error(ErrorCode::ConnectionRefused, LabCause::ServerNotStarted, {m_listener.errorString()});
}

void ServerLine::cut(Whose connections, std::set<quint16> nodes) {
    m_cut = connections;
    m_cutNodes = std::move(nodes);
    passAll();
}

void ServerLine::resumeReplication() {
    m_isReplicationHeld = false;
    passAll();
}

void ServerLine::accept(QTcpSocket* client) {
    std::erase_if(m_pairs, [](const Pair& one) { return !one.client; });
    Pair& pair = m_pairs.emplace_back();
    pair.client = client;
    pair.server = redis::makeSocketTransport(m_server);
    redis::Transport* server = pair.server.get();
    connect(client, &QTcpSocket::readyRead, server, [this, &pair] { pass(pair); });
    connect(client, &QTcpSocket::disconnected, server, [&pair] {
        pair.server->close();
        pair.client->deleteLater();
    });
    connect(server, &redis::Transport::readyRead, this, [this, &pair] { pass(pair); });
    connect(server, &redis::Transport::opened, this, [this, &pair] {
        pair.isOpen = true;
        pass(pair);
    });
    connect(server, &redis::Transport::failed, this, [this, &pair] {
        pair.isOver = true;
        pass(pair);
    });
    server->open();
}

bool ServerLine::isCut(const Pair& pair) const {
    return m_cut == Whose::Everybodys || (m_cut == Whose::Replicas && pair.isReplicas) ||
           m_cutNodes.contains(pair.node);
}

bool ServerLine::isHeld(const Pair& pair) const {
    return isCut(pair) || (m_isReplicationHeld && pair.isReplicas);
}

// Only a replica sends REPLCONF, and it does so before it gets any data. A node names itself in every message.
void ServerLine::pass(Pair& pair) const {
    if (!pair.client)
        return;
    if (pair.node == 0)
        pair.node = nodeThatSends(pair.client->peek(16));
    if (!isCut(pair) && pair.isOpen) {
        const QByteArray sent = pair.client->readAll();
        pair.isReplicas = pair.isReplicas || sent.contains("REPLCONF");
        pair.server->write(sent);
    }
    if (isHeld(pair))
        return;
    pair.client->write(pair.server->readAll());
    if (pair.isOver)
        pair.client->disconnectFromHost();
}

void ServerLine::passAll() {
    for (Pair& pair : m_pairs)
        pass(pair);
}

}  // namespace lockkeeper::lab

#include "moc_serverline.cpp"
