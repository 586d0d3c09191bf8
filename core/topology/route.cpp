// SPDX-License-Identifier: Apache-2.0
#include "topology/route.h"

#include "topology/mastertransport.h"
#include "topology/replicasource.h"
#include "topology/sentinelsource.h"

namespace lockkeeper::topology {

Route::Route(const Deployment& deployment, const redis::ConnectionOptions& options, Clock& clock) {
    const Dialer dialer(deployment.addresses);
    if (deployment.sentinels)
        m_source = std::make_unique<SentinelSource>(*deployment.sentinels, options.endpoint, dialer, clock);
    else if (!deployment.servers.isEmpty())
        m_source = std::make_unique<ReplicaSource>(deployment.servers, options, dialer, clock);
    if (m_source)
        m_transports = [source = QPointer(m_source.get()), dialer] {
            return std::make_unique<MasterTransport>(source, dialer);
        };
    else
        m_transports = [dialer, server = options.endpoint] { return dialer.dial(server); };
}

Route::~Route() = default;

}  // namespace lockkeeper::topology
