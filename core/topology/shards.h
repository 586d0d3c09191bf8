// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/publishing.h"
#include "redis/transport.h"
#include "topology/hashslot.h"
#include "topology/mastersource.h"
#include "topology/shardid.h"

#include <QByteArrayView>
#include <QList>
#include <QObject>

#include <optional>

namespace lockkeeper::redis {
struct ServerInfo;
}

namespace lockkeeper::topology {

// The shards of a deployment, and which of them keeps a key. Signals come from the event loop, so a slot may delete
// this object; a subclass must not emit them inside a task. Thread: the clock's.
class LOCKKEEPER_EXPORT Shards : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Finds the shards, and follows their changes from now on. Without a Cluster there is one shard from the beginning.
    virtual void open() = 0;
    // All shards in a fixed order; empty until they are known.
    [[nodiscard]] virtual QList<ShardId> all() const = 0;
    // The shard that serves the slot; nothing while it is not known, or if no server serves the slot.
    [[nodiscard]] virtual std::optional<ShardId> shardOf(HashSlot slot) const = 0;
    [[nodiscard]] std::optional<ShardId> shardOfKey(QByteArrayView key) const { return shardOf(hashSlotOf(key)); }
    // "host:port" of the shard's master as last known; empty if the master is not known, or if another object finds it.
    [[nodiscard]] virtual QString masterOf(ShardId shard) const = 0;
    // Makes transports to the server that is the shard's master when they are opened. They end when another server
    // becomes the master.
    [[nodiscard]] virtual redis::TransportFactory transports(ShardId shard) const = 0;
    // Whether keys are kept by slot. All keys of a command must then be in one slot, and messages are also published by
    // shard.
    [[nodiscard]] virtual bool isCluster() const = 0;
    // Whether messages of locks are published by shard on that server: in a Cluster of Redis 7 or newer.
    [[nodiscard]] bool hasShardChannels(const redis::ServerInfo& server) const;
    // To which channels a script publishes on that server. For a slot that is moving to the server, ShardConnections
    // publishes to both instead.
    [[nodiscard]] redis::Publishing publishingOn(const redis::ServerInfo& server) const;
    // To which channels releases are published where servers have shard channels.
    void setPublishing(redis::Publishing publishing) noexcept { m_publishing = publishing; }
    // The slots of a Cluster that no master serves; empty until the shards are known, and without a Cluster.
    [[nodiscard]] virtual QList<SlotRange> unservedSlots() const { return {}; }
    // Why no node of a Cluster serves keys now, as far as the nodes report it; nothing without a Cluster.
    [[nodiscard]] virtual std::optional<Error> outage() const { return std::nullopt; }
    // Call when an answer names another server, or no server serves the slot: the known shards may be outdated. Asks
    // again soon, at a limited rate however often this is called. changed() follows if something is different.
    virtual void refresh() = 0;
    // A node answered MOVED: this slot is served by the node that announces itself with this "host:port".
    virtual void noteMoved(HashSlot slot, const QString& address) = 0;
    // The shard whose master announces itself with this "host:port"; nothing if there is none.
    [[nodiscard]] virtual std::optional<ShardId> shardAt(const QString& address) const = 0;

Q_SIGNALS:
    // all(), shardOf(), masterOf(), unservedSlots() or outage() answer differently now.
    void changed();
    // The shards are not known, because no node answers. The nodes are asked again.
    void failed(const lockkeeper::Error& error);

private:
    redis::Publishing m_publishing = redis::Publishing::PlainAndSharded;
};

// A deployment that is not a Cluster. masters: finds the master among several servers; it must outlive this object.
class LOCKKEEPER_EXPORT OneShard final : public Shards {
    Q_OBJECT
public:
    static constexpr ShardId id{0};

    explicit OneShard(redis::TransportFactory makeTransport, const MasterSource* masters = nullptr);

    void open() override {}
    [[nodiscard]] QList<ShardId> all() const override { return {id}; }
    [[nodiscard]] std::optional<ShardId> shardOf(HashSlot slot) const override;
    [[nodiscard]] QString masterOf(ShardId shard) const override;
    [[nodiscard]] redis::TransportFactory transports(ShardId shard) const override;
    [[nodiscard]] bool isCluster() const override { return false; }
    void refresh() override {}
    void noteMoved(HashSlot slot, const QString& address) override;
    [[nodiscard]] std::optional<ShardId> shardAt(const QString& address) const override;

private:
    const redis::TransportFactory m_transports;
    QString m_master;
};

}  // namespace lockkeeper::topology
