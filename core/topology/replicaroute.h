// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/transport.h"
#include "topology/dialer.h"
#include "topology/shardid.h"

#include <QList>

#include <optional>

namespace lockkeeper::topology {

// The way to the replicas of a deployment. Thread: that of its connections.
class LOCKKEEPER_EXPORT ReplicaRoute {
public:
    ReplicaRoute() = default;
    ReplicaRoute(const ReplicaRoute&) = delete;
    ReplicaRoute& operator=(const ReplicaRoute&) = delete;
    virtual ~ReplicaRoute();

    // In a Cluster: the addresses of this shard's replicas as its nodes report them, failed replicas included.
    // Otherwise nothing, because the master knows its replicas.
    [[nodiscard]] virtual std::optional<QList<Address>> replicasOf(ShardId shard) const = 0;
    // Makes transports to the replica that is announced with this address.
    [[nodiscard]] virtual redis::TransportFactory transportsTo(const Address& announced) const = 0;
};

// The route of a deployment that is not a Cluster.
class LOCKKEEPER_EXPORT OneMastersReplicas final : public ReplicaRoute {
public:
    // settings: for the replicas; the address in it is not used.
    OneMastersReplicas(redis::Endpoint settings, Dialer dialer);

    [[nodiscard]] std::optional<QList<Address>> replicasOf(ShardId shard) const override;
    [[nodiscard]] redis::TransportFactory transportsTo(const Address& announced) const override;

private:
    const redis::Endpoint m_settings;
    const Dialer m_dialer;
};

}  // namespace lockkeeper::topology
