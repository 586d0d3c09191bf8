// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "topology/shards.h"

#include <map>
#include <memory>

namespace lockkeeper::test {

// A Cluster whose masters are fake servers. Its slots are shared out evenly and in order, and move when the test says
// so.
class FakeShards final : public topology::Shards {
public:
    explicit FakeShards(quint32 shards) {
        for (quint32 i = 0; i < shards; ++i)
            m_servers[id(i)] = std::make_unique<FakeServer>();
        for (quint32 slot = 0; slot < topology::hashSlots; ++slot)
            m_owners[slot] = id(slot * shards / topology::hashSlots);
    }
    [[nodiscard]] static topology::ShardId id(quint32 index) { return topology::ShardId(index); }

    [[nodiscard]] FakeServer& server(quint32 index) { return *m_servers.at(id(index)); }
    void add(quint32 index) { m_servers[id(index)] = std::make_unique<FakeServer>(); }
    // The shard's slots have no node afterwards. The server stays, for the connections to it that are about to end.
    void remove(quint32 index) {
        m_gone.insert(id(index));
        for (auto& owner : m_owners) {
            if (owner == id(index))
                owner.reset();
        }
    }
    void move(const QByteArray& key, quint32 index) { m_owners[topology::hashSlotOf(key)] = id(index); }
    // A name whose slot the shard has.
    [[nodiscard]] QByteArray keyOf(quint32 index, const QByteArray& prefix = "L") const {
        for (int i = 0;; ++i) {
            const QByteArray key = prefix + QByteArray::number(i);
            if (shardOfKey(key) == id(index))
                return key;
        }
    }

    void open() override {}
    [[nodiscard]] QList<topology::ShardId> all() const override {
        QList<topology::ShardId> shards;
        for (const auto& [shard, server] : m_servers) {
            if (!m_gone.contains(shard))
                shards += shard;
        }
        return shards;
    }
    [[nodiscard]] std::optional<topology::ShardId> shardOf(topology::HashSlot slot) const override {
        return m_owners.at(slot);
    }
    [[nodiscard]] QString masterOf(topology::ShardId shard) const override {
        return QStringLiteral("node%1:6379").arg(static_cast<quint32>(shard));
    }
    [[nodiscard]] redis::TransportFactory transports(topology::ShardId shard) const override {
        return m_servers.at(shard)->factory();
    }
    [[nodiscard]] bool isCluster() const override { return true; }
    void refresh() override { ++refreshes; }
    void noteMoved(topology::HashSlot slot, const QString& address) override {
        if (const std::optional<topology::ShardId> shard = shardAt(address))
            m_owners.at(slot) = shard;
    }
    [[nodiscard]] std::optional<topology::ShardId> shardAt(const QString& address) const override {
        const QList<topology::ShardId> shards = all();
        const auto found =
            std::ranges::find_if(shards, [&](topology::ShardId shard) { return masterOf(shard) == address; });
        return found == shards.end() ? std::nullopt : std::optional(*found);
    }
    void tellChanged() { Q_EMIT changed(); }

    int refreshes = 0;

private:
    std::map<topology::ShardId, std::unique_ptr<FakeServer>> m_servers;
    QSet<topology::ShardId> m_gone;
    std::array<std::optional<topology::ShardId>, topology::hashSlots> m_owners;
};

}  // namespace lockkeeper::test
