// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/labids.h"
#include "lab/servers/laboratoryserver.h"
#include "lab/servers/reservedport.h"
#include "lockkeeper_monitor_export.h"
#include "topology/hashslot.h"

#include <memory>
#include <vector>

namespace lockkeeper::lab {

// Of a Cluster whose masters share the slots out evenly and in order.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT topology::SlotRange slotsOfMaster(int master, int masters);
// Further lines of redis.conf as arguments, for a node that counts as dead after a second.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList clusterNodeArguments(quint16 busPort);

// Makes a Cluster of the servers of a laboratory. Each has a port of 127.0.0.1, and another one for the bus, on which
// Redis knows no password. Needs Redis 7. Thread: that of the servers.
class ClusterNodes {
public:
    using Servers = std::vector<std::unique_ptr<LaboratoryServer>>;

    // servers: outlives it; they are added later, in order.
    ClusterNodes(const Servers& servers, int masters, QByteArray password, Clock& clock, std::stop_token life);

    [[nodiscard]] quint16 portOf(ServerNumber server) const { return at(server).port.number(); }
    // False if a port could not be reserved.
    [[nodiscard]] bool hasPorts() const;
    // Of the server that is made with it.
    void complete(ServerSetup& setup, ServerNumber server) const;

    // Returns when every server sees the whole Cluster. Once, when all run.
    [[nodiscard]] Task<Result<Done>> join();
    // With its keys, as redis-cli --cluster reshard does.
    [[nodiscard]] Task<Result<Done>> moveSlot(topology::HashSlot slot, ServerNumber from, ServerNumber to);
    // Until all that live know that this one is dead; it is the only one, and has the slots that it was given at first.
    [[nodiscard]] Task<Result<Done>> awaitDead(ServerNumber server);

private:
    struct Node {
        ReservedPort port;
        ReservedPort bus;
        QByteArray id;
    };

    [[nodiscard]] const Node& at(ServerNumber server) const { return *m_nodes.at(static_cast<size_t>(server)); }
    [[nodiscard]] LaboratoryServer& serverAt(ServerNumber server) const {
        return *m_servers.at(static_cast<size_t>(server));
    }
    Task<Result<Done>> prepare(ServerNumber server);
    Task<Result<Done>> order(ServerNumber server, QByteArrayList command);
    Task<Result<Done>> moveKeys(topology::HashSlot slot, ServerNumber from, ServerNumber to);
    // Until CLUSTER INFO of every server that lives has all these lines.
    Task<Result<Done>> awaitInfo(QByteArrayList lines);
    Task<bool> hasInfo(QByteArrayList lines);

    const Servers& m_servers;
    std::vector<std::unique_ptr<Node>> m_nodes;
    const QByteArray m_password;
    Clock& m_clock;
    const std::stop_token m_life;
};

}  // namespace lockkeeper::lab
