// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <QPointer>
#include <QTcpServer>

#include <list>
#include <optional>

class QLocalSocket;
class QTcpSocket;

namespace lockkeeper::lab {

// The way from replicas and Sentinels to a server. They connect by TCP only, so this listens on a port of 127.0.0.1,
// which the server announces as its own, and leads to the server's Unix socket. The server must require a password:
// other users of the machine reach the port, too. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ServerLine : public QObject {
    Q_OBJECT
public:
    explicit ServerLine(QObject* parent = nullptr);

    [[nodiscard]] std::optional<Error> listen();
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }
    // Before anybody connects.
    void leadTo(QString serverSocket) { m_serverSocket = std::move(serverSocket); }

    // Who is concerned by a cut. Nothing passes, in either direction, and neither end gets an error; mending delivers
    // what was sent.
    enum class Whose { Nobodys, Replicas, Everybodys };
    void cut(Whose connections);
    // What the server sends to its replicas stays here. Neither end gets an error.
    void holdReplication() { m_isReplicationHeld = true; }
    void resumeReplication();
    [[nodiscard]] bool isReplicationHeld() const noexcept { return m_isReplicationHeld; }
    // Neither held nor cut off.
    [[nodiscard]] bool passesReplication() const noexcept { return m_cut == Whose::Nobodys && !m_isReplicationHeld; }

private:
    struct Pair {
        QPointer<QTcpSocket> client;
        QPointer<QLocalSocket> server;
        bool isReplicas = false;
    };

    void accept(QTcpSocket* client);
    [[nodiscard]] bool isCut(const Pair& pair) const;
    [[nodiscard]] bool isHeld(const Pair& pair) const;
    void pass(Pair& pair) const;
    void passAll();

    QString m_serverSocket;
    QTcpServer m_listener;
    std::list<Pair> m_pairs;
    Whose m_cut = Whose::Nobodys;
    bool m_isReplicationHeld = false;
};

}  // namespace lockkeeper::lab
