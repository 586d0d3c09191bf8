// SPDX-License-Identifier: Apache-2.0
#include "lab/replicationline.h"

#include <QLocalSocket>
#include <QTcpSocket>

namespace lockkeeper::lab {

ReplicationLine::ReplicationLine(QString masterSocket, QObject* parent)
    : QObject(parent), m_masterSocket(std::move(masterSocket)) {
    connect(&m_listener, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* replica = m_listener.nextPendingConnection())
            accept(replica);
    });
}

std::optional<Error> ReplicationLine::listen() {
    if (m_listener.listen(QHostAddress::LocalHost))
        return std::nullopt;
    return Error(ErrorCode::ConnectionRefused, Cause::ServerNotStarted, {m_listener.errorString()});
}

void ReplicationLine::resume() {
    m_isHeld = false;
    for (const Pair& pair : m_pairs) {
        toReplica(pair);
        if (pair.replica && pair.master && pair.master->state() == QLocalSocket::UnconnectedState)
            pair.replica->disconnectFromHost();
    }
}

void ReplicationLine::accept(QTcpSocket* replica) {
    auto* master = new QLocalSocket(replica);
    const Pair pair{replica, master};
    std::erase_if(m_pairs, [](const Pair& one) { return !one.replica; });
    m_pairs.push_back(pair);
    connect(replica, &QTcpSocket::readyRead, master, [replica, master] { master->write(replica->readAll()); });
    connect(replica, &QTcpSocket::disconnected, replica, &QObject::deleteLater);
    connect(master, &QLocalSocket::readyRead, this, [this, pair] { toReplica(pair); });
    const auto end = [this, replica] {
        if (!m_isHeld)
            replica->disconnectFromHost();
    };
    connect(master, &QLocalSocket::disconnected, replica, end);
    connect(master, &QLocalSocket::errorOccurred, replica, end);
    master->connectToServer(m_masterSocket);
}

void ReplicationLine::toReplica(const Pair& pair) const {
    if (!m_isHeld && pair.replica && pair.master)
        pair.replica->write(pair.master->readAll());
}

}  // namespace lockkeeper::lab

#include "moc_replicationline.cpp"
