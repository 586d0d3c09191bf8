// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"

#include <QMap>

namespace lockkeeper::test {

// The answers of a Cluster's nodes: which master serves which slots. Three masters, 10.0.0.1:7000 to 10.0.0.3:7000,
// share them evenly at first.
class FakeClusterMap {
public:
    struct Shard {
        QByteArray id;
        QByteArray host;
        int firstSlot = 0;
        int lastSlot = 0;
        QByteArray replicaId;
    };

    QList<Shard> shards{{idOf('a'), "10.0.0.1", 0, 5460, {}},
                        {idOf('b'), "10.0.0.2", 5461, 10922, {}},
                        {idOf('c'), "10.0.0.3", 10923, 16383, {}}};
    int epoch = 3;
    bool isUp = true;

    [[nodiscard]] static QByteArray idOf(char letter) { return QByteArray(40, letter); }
    // The answers to CLUSTER INFO and CLUSTER SHARDS.
    [[nodiscard]] QByteArray infoReply() const {
        return bulk("cluster_state:" + QByteArray(isUp ? "ok" : "fail") +
                    "\r\ncluster_current_epoch:" + QByteArray::number(epoch) + "\r\n");
    }
    [[nodiscard]] QByteArray shardsReply() const {
        QByteArrayList entries;
        for (const Shard& shard : shards) {
            QByteArrayList nodes{node(shard.id, shard.host, "master")};
            if (!shard.replicaId.isEmpty())
                nodes += node(shard.replicaId, shard.host + "9", "replica");
            entries += list(
                {bulk("slots"), list({number(shard.firstSlot), number(shard.lastSlot)}), bulk("nodes"), list(nodes)});
        }
        return list(entries);
    }

private:
    static QByteArray list(const QByteArrayList& items) {
        return '*' + QByteArray::number(items.size()) + "\r\n" + items.join();
    }
    static QByteArray node(const QByteArray& id, const QByteArray& host, const QByteArray& role) {
        return list({bulk("id"), bulk(id), bulk("port"), number(7000), bulk("endpoint"), bulk(host), bulk("role"),
                     bulk(role), bulk("health"), bulk("online")});
    }
};

}  // namespace lockkeeper::test
