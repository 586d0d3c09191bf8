// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace lockkeeper::redis {

// What the handshake learned. Fields that a server does not report (RESP2 without HELLO) stay empty.
struct ServerInfo {
    int protocol = 2;
    QByteArray version;
    QByteArray mode;  // standalone, sentinel, cluster
    QByteArray role;  // master, replica
    QString master;   // "host:port" of a replica's master, if it was asked for; otherwise empty
    qint64 connectionId = 0;

    friend bool operator==(const ServerInfo&, const ServerInfo&) = default;
};

}  // namespace lockkeeper::redis
