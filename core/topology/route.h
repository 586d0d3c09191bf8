// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "topology/deployment.h"
#include "topology/mastersource.h"
#include "topology/shards.h"

namespace lockkeeper::topology {

class Dialer;
class ReplicaRoute;
class SshTunnel;

// The way to the servers of a session: to one, to whichever is the master at that moment, or to the masters of a
// Cluster. Outlives all connections that use it. Thread: the clock's.
class LOCKKEEPER_EXPORT Route {
public:
    // options: of those connections. Of their address only the TLS settings count where the deployment names servers.
    // askpass: the program that ssh runs to ask the user, see AskpassClient; empty: ssh asks at the terminal.
    Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
          const QString& askpass = {});
    // As the other one without SSH; dialer: makes every transport, and maps addresses.
    Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock, const Dialer& dialer);
    ~Route();

    [[nodiscard]] Shards& shards() const noexcept { return *m_shards; }
    // To the replicas.
    [[nodiscard]] const ReplicaRoute& replicas() const noexcept { return *m_replicas; }
    // Of a deployment with one master that may change; null for one server, and for a Cluster.
    [[nodiscard]] const MasterSource* masters() const { return m_source.get(); }
    // Null without SSH. Connections open it themselves; to open it first gives ssh more time than they have.
    [[nodiscard]] SshTunnel* tunnel() const { return m_tunnel.get(); }

private:
    void find(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
              const Dialer& dialer);

    std::unique_ptr<SshTunnel> m_tunnel;  // outlives what uses it
    std::unique_ptr<MasterSource> m_source;
    std::unique_ptr<Shards> m_shards;
    std::unique_ptr<ReplicaRoute> m_ownReplicas;  // null for a Cluster: its source knows them
    const ReplicaRoute* m_replicas = nullptr;
};

}  // namespace lockkeeper::topology
