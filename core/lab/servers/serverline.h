// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connectionoptions.h"
#include "redis/transport.h"

#include <QPointer>
#include <QTcpServer>

#include <list>
#include <memory>
#include <optional>
#include <set>

class QTcpSocket;

namespace lockkeeper::lab {

// The way from replicas and Sentinels to a server, or from the other nodes of a Cluster to the bus of one. They connect by
// TCP only, so this listens on a port of 127.0.0.1, which the server announces as its own, and leads to the server. The
// server must require a password: other users of the machine reach the port, too. (A bus knows none.) Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ServerLine : public QObject {
    Q_OBJECT
public:
    explicit ServerLine(QObject* parent = nullptr);

    [[nodiscard]] std::optional<Error> listen();
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }
    // Before anybody connects.
    void leadTo(redis::Endpoint server) { m_server = std::move(server); }

    // Who is concerned by a cut. Nothing passes, in either direction, and neither end gets an error; mending delivers
    // what was sent. nodes: of the bus of a Cluster: those at these ports, too.
    enum class Whose { Nobodys, Replicas, Everybodys };
    void cut(Whose connections, std::set<quint16> nodes = {});
    // What the server sends to its replicas stays here. Neither end gets an error.
    void holdReplication() { m_isReplicationHeld = true; }
    void resumeReplication();
    [[nodiscard]] bool isReplicationHeld() const noexcept { return m_isReplicationHeld; }
    // Neither held nor cut off.
    [[nodiscard]] bool passesReplication() const noexcept { return m_cut == Whose::Nobodys && !m_isReplicationHeld; }

private:
    struct Pair {
        QPointer<QTcpSocket> client;
        std::unique_ptr<redis::Transport> server;
        bool isOpen = false;  // to the server
        bool isOver = false;
        bool isReplicas = false;
        quint16 node = 0;  // the port of the node whose it is; 0: unknown
    };

    void accept(QTcpSocket* client);
    [[nodiscard]] bool isCut(const Pair& pair) const;
    [[nodiscard]] bool isHeld(const Pair& pair) const;
    void pass(Pair& pair) const;
    void passAll();

    redis::Endpoint m_server;
    QTcpServer m_listener;
    std::list<Pair> m_pairs;
    Whose m_cut = Whose::Nobodys;
    std::set<quint16> m_cutNodes;
    bool m_isReplicationHeld = false;
};

}  // namespace lockkeeper::lab
