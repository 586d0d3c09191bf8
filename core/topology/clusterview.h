// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/respvalue.h"
#include "topology/deployment.h"
#include "topology/hashslot.h"

#include <vector>

namespace lockkeeper::topology {

struct ClusterNode {
    QByteArray id;     // 40 hex digits
    Address address;   // as announced; without a host: the address that was asked
    QString hostName;  // as announced, if any; the node's certificate may be for this name

    friend bool operator==(const ClusterNode&, const ClusterNode&) = default;
};

// A master with slots, and its replicas.
struct ClusterShard {
    ClusterNode master;
    std::vector<ClusterNode> replicas;
    std::vector<SlotRange> ranges;  // of slots

    friend bool operator==(const ClusterShard&, const ClusterShard&) = default;
};

// A Cluster as one of its nodes sees it.
struct ClusterView {
    std::vector<ClusterShard> shards;
    quint64 epoch = 0;  // the newest epoch that the node knows: it grows with each failover
    bool isUp = true;   // the node serves commands, because it sees most of the masters

    friend bool operator==(const ClusterView&, const ClusterView&) = default;
};

[[nodiscard]] LOCKKEEPER_EXPORT QList<Address> addressesOf(const std::vector<ClusterNode>& nodes);

// Decode the answers of CLUSTER SHARDS (Redis 7) and CLUSTER SLOTS, which have neither epoch nor state. asked: the
// address that answered; it stands for a node that does not report its own address. Shards without a master or without
// slots are left out. Nothing if the reply has another form.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<ClusterView> viewOfShards(const redis::RespValue& reply,
                                                                        const Address& asked, redis::Security security);
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<ClusterView> viewOfSlots(const redis::RespValue& reply,
                                                                       const Address& asked);
// Takes epoch and state from the answer of CLUSTER INFO.
LOCKKEEPER_EXPORT void addClusterInfo(const QByteArray& info, ClusterView& view);

}  // namespace lockkeeper::topology
