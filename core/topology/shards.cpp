// SPDX-License-Identifier: Apache-2.0
#include "topology/shards.h"

namespace lockkeeper::topology {

std::optional<ShardId> OneShard::shardOf(HashSlot slot) const {
    Q_UNUSED(slot)
    return id;
}

QString OneShard::masterOf(ShardId shard) const {
    Q_UNUSED(shard)
    return {};
}

redis::TransportFactory OneShard::transports(ShardId shard) const {
    Q_UNUSED(shard)
    return m_transports;
}

}  // namespace lockkeeper::topology

#include "moc_shards.cpp"
