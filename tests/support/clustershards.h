// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/clustersetup.h"
#include "topology/mastertransport.h"
#include "topology/shards.h"

#include <QTimer>

#include <map>

namespace lockkeeper::test {

// The shards of a real Cluster as its own servers list them: asked at the beginning and after each refresh().
class ClusterShards final : public topology::Shards {
public:
    explicit ClusterShards(ClusterSetup& cluster) : m_cluster(cluster) {
        m_pause.setSingleShot(true);
        m_pause.setInterval(100);
        connect(&m_pause, &QTimer::timeout, this, &ClusterShards::learn);
    }

    void open() override { learn(); }
    [[nodiscard]] QList<topology::ShardId> all() const override { return m_masters.keys(); }
    [[nodiscard]] std::optional<topology::ShardId> shardOf(topology::HashSlot slot) const override {
        return m_owners[slot];
    }
    [[nodiscard]] QString masterOf(topology::ShardId shard) const override {
        return m_masters.contains(shard) ? m_masters[shard]->endpoint.display() : QString();
    }
    [[nodiscard]] redis::TransportFactory transports(topology::ShardId shard) const override {
        return [master = QPointer(m_masters[shard].get())] {
            return std::make_unique<topology::MasterTransport>(master, topology::Dialer());
        };
    }
    [[nodiscard]] bool isCluster() const override { return true; }
    void refresh() override {
        if (!m_pause.isActive())
            m_pause.start();
    }

    // Reads the list of the first server that answers.
    void learn() {
        for (size_t i = 0; i < m_cluster.masterCount(); ++i) {
            if (learnFrom(m_cluster.master(i).cli({QStringLiteral("CLUSTER"), QStringLiteral("NODES")})))
                return;
        }
    }

private:
    struct Master final : topology::MasterSource {
        redis::Endpoint endpoint;
        std::function<void()> ask;
        [[nodiscard]] Completion<redis::Endpoint> find() override {
            ask();
            return Completion<redis::Endpoint>::completed(endpoint);
        }
    };

    // Lines of: id ip:port@bus flags master-id pings pongs epoch state slots...
    bool learnFrom(const QString& list) {
        if (!list.contains(QStringLiteral("myself")))
            return false;
        const QStringList lines = list.split(u'\n', Qt::SkipEmptyParts);
        for (const QString& line : lines) {
            const QStringList parts = line.split(u' ');
            if (parts[3] == u"-" && !m_shardOf.contains(parts[0]))
                m_shardOf.insert(parts[0], topology::ShardId(m_next++));
        }
        for (const QString& line : lines) {
            const QStringList parts = line.split(u' ');
            if (parts[3] != u"-")
                m_shardOf.insert(parts[0], m_shardOf.value(parts[3]));
        }
        for (const QString& line : lines)
            noteMaster(line.split(u' '));
        Q_EMIT changed();
        return true;
    }

    void noteMaster(const QStringList& parts) {
        constexpr int firstSlots = 8;
        if (!parts[2].contains(u"master") || parts[2].contains(u"fail") || parts.size() <= firstSlots)
            return;
        const topology::ShardId shard = m_shardOf.value(parts[0]);
        for (const QString& range : parts.mid(firstSlots)) {
            if (range.startsWith(u'['))  // a slot that is moving
                continue;
            for (int slot = range.section(u'-', 0, 0).toInt(); slot <= range.section(u'-', -1).toInt(); ++slot)
                m_owners[static_cast<size_t>(slot)] = shard;
        }
        if (!m_masters.contains(shard)) {
            m_masters.insert(shard, std::make_shared<Master>());
            m_masters[shard]->ask = [this] { learn(); };
        }
        Master& master = *m_masters[shard];
        const quint16 port = parts[1].section(u'@', 0, 0).section(u':', -1).toUShort();
        if (master.endpoint.port == port)
            return;
        master.endpoint.port = port;
        Q_EMIT master.masterChanged(master.endpoint);
    }

    ClusterSetup& m_cluster;
    QTimer m_pause;
    quint32 m_next = 0;
    QMap<QString, topology::ShardId> m_shardOf;  // by the id of a node
    QMap<topology::ShardId, std::shared_ptr<Master>> m_masters;
    std::array<std::optional<topology::ShardId>, topology::hashSlots> m_owners;
};

}  // namespace lockkeeper::test
