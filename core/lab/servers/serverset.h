// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lab/actornetwork.h"
#include "lab/labids.h"
#include "lab/servers/clusternodes.h"
#include "lab/servers/laboratoryserver.h"
#include "lab/servers/serverline.h"
#include "lab/serversplan.h"
#include "lab/unreached.h"
#include "lockkeeper_monitor_export.h"

#include <QProcess>

#include <memory>
#include <set>
#include <vector>

namespace lockkeeper::lab {

// The private servers of a laboratory, on Unix sockets in a folder of mode 0700. If they need TCP to reach each other,
// they use a port of 127.0.0.1, and require a random password. Everything ends with this object, and, on POSIX, also if
// the program is killed. Thread: that of its clock. `life` ends before this object.
class LOCKKEEPER_MONITOR_EXPORT ServerSet {
public:
    // serverProgram: empty for the installed one. life: every wait here ends with it.
    ServerSet(Clock& clock, QString serverProgram, std::stop_token life);
    ~ServerSet();
    ServerSet(const ServerSet&) = delete;
    ServerSet& operator=(const ServerSet&) = delete;

    // Returns when the servers are ready for actors. Call it once.
    [[nodiscard]] Task<Result<Done>> start(ServersPlan plan);
    // Kills the servers and removes their folder. Returns when that is done, or at the deadline.
    [[nodiscard]] Task<void> end(Deadline deadline, std::stop_token stop);
    [[nodiscard]] const ServersPlan& plan() const noexcept { return m_plan; }
    [[nodiscard]] int count() const { return static_cast<int>(m_servers.size()); }
    // The server, or the Sentinel if there is one.
    [[nodiscard]] LaboratoryServer& at(ServerNumber server) const {
        return server == sentinelServer ? *m_sentinel : *m_servers.at(static_cast<size_t>(server));
    }
    // Whether the server is a replica, if it can be asked; with a Sentinel as of a moment ago.
    [[nodiscard]] bool isReplica(ServerNumber server) const { return m_replicas.contains(server); }
    // This object must outlive the users of the network.
    [[nodiscard]] ActorNetwork network() const;
    // The endpoints at which these servers, and the Sentinel if it is one of them, are reached from here.
    [[nodiscard]] std::vector<redis::Endpoint> endpointsOf(const Unreached& unreached) const;

    [[nodiscard]] Task<Result<Done>> restart(ServerNumber server);
    // For a pair: the replica becomes the master. A Sentinel does this in order.
    [[nodiscard]] Task<Result<Done>> promote();
    // With a Sentinel: waits until it names this server as the master, and the server is one.
    [[nodiscard]] Task<Result<Done>> awaitMaster(ServerNumber server);

    // For a Cluster: moves the slot of this key with its keys; waits until all live servers, which must be the
    // majority, know that this server is dead.
    [[nodiscard]] Task<Result<Done>> moveSlotOf(QByteArray key, ServerNumber from, ServerNumber to);
    [[nodiscard]] Task<Result<Done>> awaitDead(ServerNumber server);

    // For a pair: holds back what the master sends to its replica.
    void holdReplication();
    void resumeReplication();
    [[nodiscard]] bool isReplicationHeld() const;
    // Returns when the replica has the last commands of this server; at once if it cannot get them now.
    [[nodiscard]] Task<void> awaitDelivery(ServerNumber master);
    // Cuts off only these servers, from all other servers and the Sentinel.
    void isolate(const std::set<ServerNumber>& servers);

private:
    [[nodiscard]] std::optional<Error> makeFolder();
    [[nodiscard]] std::optional<Error> addLines();
    void addServer(ServerNumber server);
    // The configuration of a server from its first start on, also when it is started again.
    [[nodiscard]] QByteArray configurationOf(ServerNumber server) const;
    [[nodiscard]] ServerSetup setupOf(ServerNumber server) const;
    [[nodiscard]] ServerLine& lineTo(ServerNumber server) const { return *m_lines.at(static_cast<size_t>(server)); }
    [[nodiscard]] redis::ConnectionOptions masterOptions() const;
    [[nodiscard]] quint16 announcedPort(ServerNumber server) const;
    [[nodiscard]] topology::Deployment deployment() const;
    // The endpoint of the server that announces itself with this address.
    [[nodiscard]] redis::Endpoint reached(const redis::Endpoint& announced) const;

    [[nodiscard]] bool replicates() const;

    Task<Result<Done>> startServers();
    Task<Result<Done>> awaitReplica();
    Task<Result<Done>> startSentinel();
    Task<Result<Done>> awaitSentinelKnowsAll();
    Task<Result<ServerNumber>> namedMaster();
    Task<Result<Done>> readRole(ServerNumber server);
    Task<void> followRole(ServerNumber server);
    Task<bool> pause(Milliseconds time);

    Clock& m_clock;
    const QString m_serverProgram;
    const std::stop_token m_life;
    const QByteArray m_password;  // required by servers that other users of this machine could reach
    const QString m_folder;
    ServersPlan m_plan;
    std::unique_ptr<QProcess> m_folderKeeper;
    std::vector<std::unique_ptr<ServerLine>> m_lines;  // by server, where others connect to it
    std::vector<std::unique_ptr<LaboratoryServer>> m_servers;
    std::unique_ptr<LaboratoryServer> m_sentinel;
    std::unique_ptr<ClusterNodes> m_cluster;
    std::set<ServerNumber> m_replicas;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::lab
