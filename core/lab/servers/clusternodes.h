// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/labids.h"
#include "lab/servers/laboratoryserver.h"
#include "lab/servers/reservedport.h"
#include "lab/servers/serverline.h"
#include "lockkeeper_monitor_export.h"
#include "topology/hashslot.h"

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace lockkeeper::lab {

// The slots of one master in a Cluster whose masters share the slots evenly and in order.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT topology::SlotRange slotsOfMaster(int master, int masters);
// Further lines of redis.conf as arguments, for a node that counts as dead after a second of silence.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList clusterNodeArguments(quint16 busPort);

// Makes a Cluster of the servers of a laboratory. Each has a port of 127.0.0.1, another port for the bus, on which
// Redis knows no password, and a line to its bus, which the other servers use. Needs Redis 7. Thread: that of the
// servers.
class ClusterNodes {
public:
    using Servers = std::vector<std::unique_ptr<LaboratoryServer>>;

    // servers: must outlive it; the servers are added later, in order.
    ClusterNodes(const Servers& servers, int masters, QByteArray password, Clock& clock, std::stop_token life);

    [[nodiscard]] quint16 portOf(ServerNumber server) const { return at(server).port.number(); }
    // False if a port could not be reserved.
    [[nodiscard]] bool hasPorts() const;
    // setup: of the server that is made with it.
    void complete(ServerSetup& setup, ServerNumber server) const;

    // Returns when every server sees the whole Cluster. Call it once, when all servers run.
    [[nodiscard]] Task<Result<Done>> join();
    // Moves the slot with its keys, as redis-cli --cluster reshard does.
    [[nodiscard]] Task<Result<Done>> moveSlot(topology::HashSlot slot, ServerNumber from, ServerNumber to);
    // Waits until all servers that live and are not cut off know that this one is dead. They must be more than half of
    // the masters, because they agree about it.
    [[nodiscard]] Task<Result<Done>> awaitDead(ServerNumber server);
    // Cuts off only these servers, each from all others.
    void isolate(const std::set<ServerNumber>& servers);

private:
    struct Node {
        ReservedPort port;
        ReservedPort bus;
        ServerLine line;  // to the bus
        QByteArray id;
    };

    [[nodiscard]] const Node& at(ServerNumber server) const { return *m_nodes.at(static_cast<size_t>(server)); }
    [[nodiscard]] LaboratoryServer& serverAt(ServerNumber server) const {
        return *m_servers.at(static_cast<size_t>(server));
    }
    Task<Result<Done>> prepare(ServerNumber server);
    Task<Result<Done>> meetFirst();
    Task<Result<Done>> order(ServerNumber server, QByteArrayList command);
    Task<Result<Done>> moveKeys(topology::HashSlot slot, ServerNumber from, ServerNumber to);
    [[nodiscard]] bool takesPart(ServerNumber server) const;
    // Waits until the answer to a command of CLUSTER is as required at every server that takes part. If no server takes
    // part, there is no answer.
    using IsMet = std::function<bool(const QByteArray& answer)>;
    Task<Result<Done>> awaitAll(QByteArray command, IsMet isMet, Deadline end);
    Task<bool> holdsForAll(QByteArray command, IsMet isMet);

    const Servers& m_servers;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::set<ServerNumber> m_isolated;
    const QByteArray m_password;
    Clock& m_clock;
    const std::stop_token m_life;
};

}  // namespace lockkeeper::lab
