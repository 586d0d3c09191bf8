// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <QPointer>
#include <QTcpServer>

#include <optional>
#include <vector>

class QLocalSocket;
class QTcpSocket;

namespace lockkeeper::lab {

// The way from a replica to its master. A replica connects by TCP only, so this listens on a port of 127.0.0.1 and
// leads to the master's Unix socket. The master must require a password: other users of the machine reach the port,
// too. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ReplicationLine : public QObject {
    Q_OBJECT
public:
    explicit ReplicationLine(QString masterSocket, QObject* parent = nullptr);

    [[nodiscard]] std::optional<Error> listen();
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }

    // What the master sends stays here. Neither end gets an error.
    void hold() { m_isHeld = true; }
    void resume();

private:
    struct Pair {
        QPointer<QTcpSocket> replica;
        QPointer<QLocalSocket> master;
    };

    void accept(QTcpSocket* replica);
    void toReplica(const Pair& pair) const;

    const QString m_masterSocket;
    QTcpServer m_listener;
    std::vector<Pair> m_pairs;
    bool m_isHeld = false;
};

}  // namespace lockkeeper::lab
