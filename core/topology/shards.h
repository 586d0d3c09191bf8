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

// The shards of a deployment, and which of them keeps a key. Thread: the clock's.
class LOCKKEEPER_EXPORT Shards : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Finds the shards, and follows their changes from now on. Without a Cluster there is one from the beginning.
    virtual void open() = 0;
    // In a fixed order. Empty until they are known.
    [[nodiscard]] virtual QList<ShardId> all() const = 0;
    // Nothing while it is not known, or no server serves its slot.
    [[nodiscard]] virtual std::optional<ShardId> shardOf(HashSlot slot) const = 0;
    [[nodiscard]] std::optional<ShardId> shardOfKey(QByteArrayView key) const { return shardOf(hashSlotOf(key)); }
    // "host:port" of its master as last known; empty if it is not known, or another one answers for it.
    [[nodiscard]] virtual QString masterOf(ShardId shard) const = 0;
    // Makes transports to whichever server is the shard's master when they are opened. They end when another one is.
    [[nodiscard]] virtual redis::TransportFactory transports(ShardId shard) const = 0;
    // Whether keys are kept by slot: then a command must keep to one of them, and messages are published by shard, too.
    [[nodiscard]] virtual bool isCluster() const = 0;
    // Whether messages of locks are published by shard on that server: in a Cluster of Redis 7 or newer.
    [[nodiscard]] bool hasShardChannels(const redis::ServerInfo& server) const;
    // To which channels a script publishes there. Where a slot is moving to that server, to both.
    [[nodiscard]] redis::Publishing publishingOn(const redis::ServerInfo& server) const;
    // To which channels releases are published where servers have channels of shards.
    void setPublishing(redis::Publishing publishing) noexcept { m_publishing = publishing; }
    // Of a Cluster: slots that no master serves. Empty until the shards are known.
    [[nodiscard]] virtual QList<SlotRange> unservedSlots() const { return {}; }
    // Of a Cluster: why none of its nodes serves keys now, as far as they say so.
    [[nodiscard]] virtual std::optional<Error> outage() const { return std::nullopt; }
    // What is known may be old: an answer named another server, or none serves the slot. Asks again soon, and not more
    // often than bearable, however often this is called. changed() follows if something is different.
    virtual void refresh() = 0;
    // A node answered MOVED: this slot is served by the node that announces itself with this "host:port".
    virtual void noteMoved(HashSlot slot, const QString& address) = 0;
    // The shard whose master announces itself with this "host:port".
    [[nodiscard]] virtual std::optional<ShardId> shardAt(const QString& address) const = 0;

Q_SIGNALS:
    // all(), shardOf(), masterOf(), unservedSlots() or outage() answer differently now.
    void changed();
    // Why the shards are not known: no node answers. It is tried again.
    void failed(const lockkeeper::Error& error);

private:
    redis::Publishing m_publishing = redis::Publishing::PlainAndSharded;
};

// A deployment that is no Cluster. masters: where one of several servers is the master; it outlives this object.
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
