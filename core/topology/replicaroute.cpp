// SPDX-License-Identifier: Apache-2.0
#include "topology/replicaroute.h"

namespace lockkeeper::topology {

ReplicaRoute::~ReplicaRoute() = default;

OneMastersReplicas::OneMastersReplicas(redis::Endpoint settings, Dialer dialer)
    : m_settings(std::move(settings)), m_dialer(std::move(dialer)) {}

std::optional<QList<Address>> OneMastersReplicas::replicasOf(ShardId shard) const {
    Q_UNUSED(shard)
    return std::nullopt;
}

redis::TransportFactory OneMastersReplicas::transportsTo(const Address& announced) const {
    return [dialer = m_dialer, server = endpointAt(announced, m_settings)] { return dialer.dial(server); };
}

}  // namespace lockkeeper::topology
