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

// The connections from replicas and Sentinels to a server, or from the other nodes of a Cluster to the bus of one. They
// use only TCP, so this object listens on a port of 127.0.0.1, which the server announces as its own, and connects each
// client to the server. The server must require a password, because other users of the machine can reach the port, too.
// (A bus has no password.) Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ServerLine : public QObject {
    Q_OBJECT
public:
    explicit ServerLine(QObject* parent = nullptr);

    [[nodiscard]] std::optional<Error> listen();
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }
    // Call it before anybody connects.
    void leadTo(redis::Endpoint server) { m_server = std::move(server); }

    // Whose connections are cut. No bytes pass in either direction, and neither end gets an error; mending delivers
    // what was sent. nodes: for the bus of a Cluster, the nodes at these ports are also cut.
    enum class Whose { Nobodys, Replicas, Everybodys };
    void cut(Whose connections, std::set<quint16> nodes = {});
    // Holds back what the server sends to its replicas. Neither end gets an error.
    void holdReplication() { m_isReplicationHeld = true; }
    void resumeReplication();
    [[nodiscard]] bool isReplicationHeld() const noexcept { return m_isReplicationHeld; }
    // Whether replication is neither held nor cut.
    [[nodiscard]] bool passesReplication() const noexcept { return m_cut == Whose::Nobodys && !m_isReplicationHeld; }

private:
    struct Pair {
        QPointer<QTcpSocket> client;
        std::unique_ptr<redis::Transport> server;
        bool isOpen = false;  // the connection to the server is open
        bool isOver = false;
        bool isReplicas = false;
        quint16 node = 0;  // port of the node that has connected; 0: unknown
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
