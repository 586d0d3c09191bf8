// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/servers/reservedport.h"
#include "support/redisserver.h"
#include "topology/hashslot.h"

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::test {

// A real Redis Cluster that fails over after a second. All its servers end with this object.
class ClusterSetup {
public:
    // more: further lines of redis.conf for each node, as for RedisServer; number: the masters first, from 0.
    using MoreFor = std::function<QStringList(int number)>;
    explicit ClusterSetup(int masters = 3, int replicasEach = 0, const MoreFor& more = {});

    // Starts all servers, joins them, shares the slots out evenly and in order, and waits until every server sees all
    // of it.
    [[nodiscard]] bool start();
    [[nodiscard]] size_t masterCount() const { return m_masters.size(); }
    // The masters at the start, and their replicas.
    [[nodiscard]] RedisServer& master(size_t index) { return *m_masters[index].server; }
    [[nodiscard]] RedisServer& replica(size_t index) { return *m_replicas[index].server; }
    // The master that had the key at the start.
    [[nodiscard]] size_t firstOwnerOf(const QByteArray& key) const;
    // A key that this master had at the start; another prefix gives another key.
    [[nodiscard]] QByteArray keyOn(size_t master, const QByteArray& prefix) const;
    // The id of the node: 40 hex digits.
    [[nodiscard]] QString id(size_t master) const { return m_masters[master].id; }
    // Sends the command to each master.
    [[nodiscard]] bool tellAll(const QStringList& command);
    // Adds a master without slots.
    [[nodiscard]] bool addMaster();
    // Lets all other nodes forget the last master, which must have no slots. It does not know, and runs until this
    // object ends.
    [[nodiscard]] bool forgetLastMaster();
    // Moves a slot with its keys, as redis-cli --cluster reshard does, and waits until every master knows.
    [[nodiscard]] bool moveSlot(topology::HashSlot slot, size_t from, size_t to);
    // Begins to move a slot: its keys can be on either server, and the slot is still the first one's.
    [[nodiscard]] bool beginMove(topology::HashSlot slot, size_t from, size_t to);
    [[nodiscard]] bool moveKeys(topology::HashSlot slot, size_t from, size_t to);
    [[nodiscard]] bool endMove(topology::HashSlot slot, size_t to);
    // The replica takes over by command, and is its shard's master when this returns.
    [[nodiscard]] bool failOver(size_t index);
    [[nodiscard]] bool replicaBecomesMaster(size_t index, int milliseconds = 15000);
    // redis-cluster://127.0.0.1:PORT,... of all masters at the start
    [[nodiscard]] QString url() const;
    [[nodiscard]] QString address(size_t master) const;

private:
    struct Node {
        std::unique_ptr<lab::ReservedPort> bus;
        std::unique_ptr<RedisServer> server;
        QString id;
    };
    static Node makeNode(const QStringList& more = {});
    [[nodiscard]] static bool startNode(Node& node);
    [[nodiscard]] bool allMeet();
    [[nodiscard]] bool meet(Node& node);
    [[nodiscard]] bool isWhole();
    [[nodiscard]] static bool seesAll(Node& node, size_t nodes);
    // The slots of the master at the start.
    [[nodiscard]] topology::SlotRange slotsOf(size_t master) const;

    const size_t m_replicasEach;
    std::vector<Node> m_masters;
    std::vector<Node> m_replicas;
    std::vector<Node> m_forgotten;
};

}  // namespace lockkeeper::test
