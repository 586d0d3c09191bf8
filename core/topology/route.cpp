// SPDX-License-Identifier: Apache-2.0
#include "topology/route.h"

#include "topology/clustersource.h"
#include "topology/mastertransport.h"
#include "topology/replicaroute.h"
#include "topology/replicasource.h"
#include "topology/sentinelsource.h"
#include "topology/ssh/sshtransport.h"
#include "topology/ssh/sshtunnel.h"

namespace lockkeeper::topology {

namespace {

Dialer dialerThrough(SshTunnel* tunnel, const AddressMap& addresses) {
    if (!tunnel)
        return Dialer(addresses);
    const auto make = [tunnel = QPointer(tunnel)](const redis::Endpoint& endpoint) {
        return std::make_unique<SshTransport>(tunnel, endpoint);
    };
    return Dialer(make, addresses);
}

}  // namespace

Route::Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
             const QString& askpass)
    : m_tunnel(deployment.ssh ? std::make_unique<SshTunnel>(*deployment.ssh, askpass, clock) : nullptr) {
    find(deployment, options, clock, dialerThrough(m_tunnel.get(), deployment.addresses));
}

Route::Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
             const Dialer& dialer) {
    find(deployment, options, clock, dialer);
}

void Route::find(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock,
                 const Dialer& dialer) {
    if (!deployment.cluster.isEmpty()) {
        auto cluster = std::make_unique<ClusterSource>(deployment.cluster, options, dialer, clock);
        m_replicas = cluster.get();
        m_shards = std::move(cluster);
        m_shards->setPublishing(deployment.publishing);
        return;
    }
    if (deployment.sentinels)
        m_source = std::make_unique<SentinelSource>(*deployment.sentinels, options.endpoint, dialer, clock,
                                                    options.credentials);
    else if (!deployment.servers.isEmpty())
        m_source = std::make_unique<ReplicaSource>(deployment.servers, options, dialer, clock);
    m_ownReplicas = std::make_unique<OneMastersReplicas>(options.endpoint, dialer);
    m_replicas = m_ownReplicas.get();
    if (m_source)
        m_shards = std::make_unique<OneShard>(
            [source = QPointer(m_source.get()), dialer] { return std::make_unique<MasterTransport>(source, dialer); },
            m_source.get());
    else
        m_shards = std::make_unique<OneShard>([dialer, server = options.endpoint] { return dialer.dial(server); });
}

Route::~Route() = default;

}  // namespace lockkeeper::topology
