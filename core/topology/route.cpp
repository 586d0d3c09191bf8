// SPDX-License-Identifier: Apache-2.0
#include "topology/route.h"

#include "topology/clustersource.h"
#include "topology/mastertransport.h"
#include "topology/replicasource.h"
#include "topology/sentinelsource.h"

namespace lockkeeper::topology {

Route::Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock) {
    const Dialer dialer(deployment.addresses);
    if (!deployment.cluster.isEmpty()) {
        m_shards = std::make_unique<ClusterSource>(deployment.cluster, options, dialer, clock);
        return;
    }
    if (deployment.sentinels)
        m_source = std::make_unique<SentinelSource>(*deployment.sentinels, options.endpoint, dialer, clock);
    else if (!deployment.servers.isEmpty())
        m_source = std::make_unique<ReplicaSource>(deployment.servers, options, dialer, clock);
    if (m_source)
        m_shards = std::make_unique<OneShard>(
            [source = QPointer(m_source.get()), dialer] { return std::make_unique<MasterTransport>(source, dialer); },
            m_source.get());
    else
        m_shards = std::make_unique<OneShard>([dialer, server = options.endpoint] { return dialer.dial(server); });
}

Route::~Route() = default;

}  // namespace lockkeeper::topology
