// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/transport.h"
#include "topology/deployment.h"
#include "topology/mastersource.h"

namespace lockkeeper::topology {

class SshTunnel;

// Makes the transports of a session's connections: to one server, or to whichever is the master at that moment.
// Outlives all connections that use it. Thread: the clock's.
class LOCKKEEPER_EXPORT Route {
public:
    // options: of those connections. Of their address only the TLS settings count where the deployment names servers.
    // askpass: the program that ssh runs to ask the user, see AskpassClient; empty: ssh asks at the terminal.
    Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
          const QString& askpass = {});
    ~Route();

    [[nodiscard]] redis::TransportFactory transports() const { return m_transports; }
    // Null if there is one server only.
    [[nodiscard]] const MasterSource* masters() const { return m_source.get(); }
    // Null without SSH. Connections open it themselves; to open it first gives ssh more time than they have.
    [[nodiscard]] SshTunnel* tunnel() const { return m_tunnel.get(); }

private:
    std::unique_ptr<SshTunnel> m_tunnel;
    std::unique_ptr<MasterSource> m_source;  // null: one server
    redis::TransportFactory m_transports;
};

}  // namespace lockkeeper::topology
