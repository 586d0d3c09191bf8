// SPDX-License-Identifier: Apache-2.0
#include "topology/shards.h"

#include "redis/serverinfo.h"

namespace lockkeeper::topology {

namespace {

// The first number of "7.0.15"; 0 if the server did not report its version.
int majorVersion(const QByteArray& version) {
    return version.left(version.indexOf('.')).toInt();
}

}  // namespace

bool Shards::hasShardChannels(const redis::ServerInfo& server) const {
    constexpr int firstWithShardedChannels = 7;
    return isCluster() && majorVersion(server.version) >= firstWithShardedChannels;
}

redis::Publishing Shards::publishingOn(const redis::ServerInfo& server) const {
    return hasShardChannels(server) ? m_publishing : redis::Publishing::Plain;
}

OneShard::OneShard(redis::TransportFactory makeTransport, const MasterSource* masters)
    : m_transports(std::move(makeTransport)) {
    if (!masters)
        return;
    connect(masters, &MasterSource::masterChanged, this, [this](const redis::Endpoint& master) {
        m_master = master.display();
        Q_EMIT changed();
    });
}

std::optional<ShardId> OneShard::shardOf(HashSlot slot) const {
    Q_UNUSED(slot)
    return id;
}

QString OneShard::masterOf(ShardId shard) const {
    Q_UNUSED(shard)
    return m_master;
}

redis::TransportFactory OneShard::transports(ShardId shard) const {
    Q_UNUSED(shard)
    return m_transports;
}

void OneShard::noteMoved(HashSlot slot, const QString& address) {
    Q_UNUSED(slot)
    Q_UNUSED(address)
}

std::optional<ShardId> OneShard::shardAt(const QString& address) const {
    Q_UNUSED(address)
    return std::nullopt;
}

}  // namespace lockkeeper::topology

#include "moc_shards.cpp"
