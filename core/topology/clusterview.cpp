// SPDX-License-Identifier: Apache-2.0
#include "topology/clusterview.h"

#include <algorithm>

namespace lockkeeper::topology {

namespace {

using redis::RespValue;

QByteArray bytesOf(const RespValue& map, QByteArrayView name) {
    const RespValue* value = map.valueOf(name);
    return value ? value->bytes : QByteArray();
}

std::optional<SlotRange> rangeOf(const RespValue& first, const RespValue& last) {
    const bool isValid = first.isInteger() && last.isInteger() && first.integer >= 0 && first.integer <= last.integer &&
                         last.integer < hashSlots;
    return isValid ? std::optional(SlotRange{static_cast<HashSlot>(first.integer), static_cast<HashSlot>(last.integer)})
                   : std::nullopt;
}

std::optional<quint16> portIn(const RespValue* value) {
    const bool isPort = value && value->isInteger() && value->integer > 0 && value->integer <= 0xffff;
    return isPort ? std::optional(static_cast<quint16>(value->integer)) : std::nullopt;
}

// "?": the node is configured to announce a name, but has none. Empty: the node does not know its own address yet.
bool namesHost(const QByteArray& text) {
    return !text.isEmpty() && text != "?";
}

QString hostOf(const RespValue& node, const Address& asked) {
    for (const QByteArray& host : {bytesOf(node, "endpoint"), bytesOf(node, "ip")}) {
        if (namesHost(host))
            return QString::fromUtf8(host);
    }
    return asked.host;
}

std::optional<ClusterNode> nodeOfShards(const RespValue& node, const Address& asked, redis::Security security) {
    const std::optional<quint16> plain = portIn(node.valueOf("port"));
    const std::optional<quint16> port = security == redis::Security::Tls ? portIn(node.valueOf("tls-port")) : plain;
    if (!port && !plain)
        return std::nullopt;
    ClusterNode found;
    found.id = bytesOf(node, "id");
    found.address = {hostOf(node, asked), port.value_or(plain.value_or(0))};
    const QByteArray name = bytesOf(node, "hostname");
    found.hostName = namesHost(name) ? QString::fromUtf8(name) : QString();
    return found;
}

// After a failover the former master may still be listed as a failed master, beside the new one. Before the failover it
// is the only one.
void addNode(const RespValue& node, const Address& asked, redis::Security security, ClusterShard& shard) {
    const std::optional<ClusterNode> found = nodeOfShards(node, asked, security);
    if (!found)
        return;
    const bool hasFailed = bytesOf(node, "health") == "fail";
    if (bytesOf(node, "role") == "master" && (shard.master.id.isEmpty() || !hasFailed))
        shard.master = *found;
    else
        shard.replicas.push_back(*found);
}

// [endpoint, port, id, [name, value, ...]]; the list of names and values from Redis 7 on.
std::optional<ClusterNode> nodeOfSlots(const RespValue& node, const Address& asked) {
    const std::optional<quint16> port = node.items.size() >= 3 ? portIn(&node.items[1]) : std::nullopt;
    if (!port)
        return std::nullopt;
    ClusterNode found;
    found.id = node.items[2].bytes;
    found.address = {namesHost(node.items[0].bytes) ? QString::fromUtf8(node.items[0].bytes) : asked.host, *port};
    if (node.items.size() >= 4)
        found.hostName = QString::fromUtf8(bytesOf(node.items[3], "hostname"));
    return found;
}

ClusterShard& shardOfMaster(const ClusterNode& master, ClusterView& view) {
    const auto known =
        std::ranges::find_if(view.shards, [&](const ClusterShard& shard) { return shard.master == master; });
    if (known != view.shards.end())
        return *known;
    ClusterShard& added = view.shards.emplace_back();
    added.master = master;
    return added;
}

}  // namespace

QList<Address> addressesOf(const std::vector<ClusterNode>& nodes) {
    QList<Address> addresses;
    for (const ClusterNode& node : nodes)
        addresses += node.address;
    return addresses;
}

std::optional<ClusterView> viewOfShards(const RespValue& reply, const Address& asked, redis::Security security) {
    if (!reply.isAggregate())
        return std::nullopt;
    ClusterView view;
    for (const RespValue& entry : reply.items) {
        const RespValue* ranges = entry.valueOf("slots");
        const RespValue* nodes = entry.valueOf("nodes");
        if (!ranges || !nodes)
            return std::nullopt;
        ClusterShard shard;
        for (size_t i = 0; i + 1 < ranges->items.size(); i += 2) {
            const std::optional<SlotRange> range = rangeOf(ranges->items[i], ranges->items[i + 1]);
            if (!range)
                return std::nullopt;
            shard.ranges.push_back(*range);
        }
        for (const RespValue& node : nodes->items)
            addNode(node, asked, security, shard);
        if (!shard.master.id.isEmpty() && !shard.ranges.empty())
            view.shards.push_back(std::move(shard));
    }
    return view;
}

std::optional<ClusterView> viewOfSlots(const RespValue& reply, const Address& asked) {
    if (!reply.isAggregate())
        return std::nullopt;
    ClusterView view;
    for (const RespValue& entry : reply.items) {
        const std::optional<SlotRange> range =
            entry.items.size() >= 3 ? rangeOf(entry.items[0], entry.items[1]) : std::nullopt;
        const std::optional<ClusterNode> master = range ? nodeOfSlots(entry.items[2], asked) : std::nullopt;
        if (!master)
            return std::nullopt;
        ClusterShard& shard = shardOfMaster(*master, view);
        shard.ranges.push_back(*range);
        shard.replicas.clear();  // each range lists the same replicas
        for (size_t i = 3; i < entry.items.size(); ++i) {
            if (const std::optional<ClusterNode> replica = nodeOfSlots(entry.items[i], asked))
                shard.replicas.push_back(*replica);
        }
    }
    return view;
}

void addClusterInfo(const QByteArray& info, ClusterView& view) {
    for (const QByteArray& line : info.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        const QByteArray name = line.left(colon);
        const QByteArray value = line.mid(colon + 1).trimmed();
        if (name == "cluster_current_epoch")
            view.epoch = value.toULongLong();
        else if (name == "cluster_state")
            view.isUp = value == "ok";
    }
}

}  // namespace lockkeeper::topology
