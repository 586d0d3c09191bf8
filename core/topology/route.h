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

// The way to the servers of a session: to one server, to the server that is the master at that moment, or to the
// masters of a Cluster. Must outlive all connections that use it. Thread: the clock's.
class LOCKKEEPER_EXPORT Route {
public:
    // options: for the connections to the servers. If the deployment names servers, only the TLS settings of the
    // address are used. askpass: the program that ssh runs to ask the user, see AskpassClient; empty: ssh asks at the
    // terminal.
    Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
          const QString& askpass = {});
    // For a deployment without SSH. dialer: makes every transport, and maps addresses.
    Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock, const Dialer& dialer);
    ~Route();

    [[nodiscard]] Shards& shards() const noexcept { return *m_shards; }
    // The way to the replicas of the deployment.
    [[nodiscard]] const ReplicaRoute& replicas() const noexcept { return *m_replicas; }
    // The source of a deployment with one master that may change; null for a single server, and for a Cluster.
    [[nodiscard]] const MasterSource* masters() const { return m_source.get(); }
    // Null without SSH. Connections open the tunnel themselves. Opening it before gives ssh more time than a connection
    // has.
    [[nodiscard]] SshTunnel* tunnel() const { return m_tunnel.get(); }

private:
    void find(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
              const Dialer& dialer);

    std::unique_ptr<SshTunnel> m_tunnel;  // outlives the members that use it
    std::unique_ptr<MasterSource> m_source;
    std::unique_ptr<Shards> m_shards;
    std::unique_ptr<ReplicaRoute> m_ownReplicas;  // null for a Cluster: its source knows them
    const ReplicaRoute* m_replicas = nullptr;
};

}  // namespace lockkeeper::topology
