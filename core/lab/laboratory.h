// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "base/result.h"
#include "lab/actor.h"
#include "lab/fault.h"
#include "lab/servers/serverset.h"
#include "lab/unreached.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace lockkeeper::lab {

// Private servers and programs that use locks on them, and everything that can go wrong between them. The servers are
// on Unix sockets in a folder of mode 0700. Everything ends with this object, and, on POSIX, also if the program is
// killed. Thread: that of its clocks.
class LOCKKEEPER_MONITOR_EXPORT Laboratory : public QObject {
    Q_OBJECT
public:
    // clock: for the actors; it may be stopped. serverClock: for the servers and the laboratory's own connections to
    // them; it never stops. serverProgram: empty for the installed one.
    Laboratory(Clock& clock, Clock& serverClock, QString serverProgram = {}, QObject* parent = nullptr);
    ~Laboratory() override;

    // Returns when every actor is connected to every server. Call it once.
    [[nodiscard]] Task<Result<Done>> start(ServersPlan servers, std::vector<ActorPlan> actors);
    [[nodiscard]] Task<Result<Done>> apply(Fault fault);
    // Sends a command that no actor of the scenario sends, to read the server's state. Error replies are errors.
    [[nodiscard]] Task<Result<redis::RespValue>> ask(ServerNumber server, QByteArrayList command);

    // The actor; null if there is none.
    [[nodiscard]] Actor* actor(const ActorName& name) const;
    [[nodiscard]] const std::vector<std::unique_ptr<Actor>>& actors() const noexcept { return m_actors; }
    // The number of servers, without the Sentinel.
    [[nodiscard]] int serverCount() const { return m_servers.count(); }
    [[nodiscard]] bool hasSentinel() const { return serversPlan().form == ServersPlan::Form::Sentinel; }
    // Options that lead to this server itself, even if another server has replaced it.
    [[nodiscard]] redis::ConnectionOptions serverOptions(ServerNumber server) const {
        return m_servers.at(server).options();
    }
    [[nodiscard]] bool isAlive(ServerNumber server) const { return m_servers.at(server).isAlive(); }
    [[nodiscard]] bool isFrozen(ServerNumber server) const { return m_servers.at(server).isFrozen(); }
    // Whether the server is a replica; with a Sentinel as of a moment ago.
    [[nodiscard]] bool isReplica(ServerNumber server) const { return m_servers.isReplica(server); }
    // For a pair: whether what the master sends to its replica does not arrive.
    [[nodiscard]] bool isReplicationHeld() const { return m_servers.isReplicationHeld(); }
    // What partitions cut off from this server. Whether a server is alive, and whether the network of an actor is cut,
    // makes no difference.
    [[nodiscard]] Unreached unreachedBy(ServerNumber server) const;
    [[nodiscard]] Unreached unreachedBy(const ActorName& actor) const;
    // With a Sentinel: returns when it has made this server the master.
    [[nodiscard]] Task<Result<Done>> awaitMaster(ServerNumber server) { return m_servers.awaitMaster(server); }
    [[nodiscard]] Task<void> awaitDelivery(ServerNumber master) { return m_servers.awaitDelivery(master); }
    // For a Cluster: returns when all live servers know that this server is dead.
    [[nodiscard]] Task<Result<Done>> awaitDead(ServerNumber server) { return m_servers.awaitDead(server); }
    [[nodiscard]] const ServersPlan& serversPlan() const noexcept { return m_servers.plan(); }
    // Crashes all actors, and ends every wait here.
    void end();
    // After end(): kills the servers. Returns when they have ended, or at the deadline.
    [[nodiscard]] Task<void> endServers(Deadline deadline, std::stop_token stop) {
        return m_servers.end(deadline, std::move(stop));
    }

private:
    // Updates the cuts after a partition or its end.
    void applyPartitions();

    // One function for each kind of fault.
    Task<Result<Done>> applied(FreezeActor fault);
    Task<Result<Done>> applied(ResumeActor fault);
    Task<Result<Done>> applied(CrashActor fault);
    Task<Result<Done>> applied(CutNetwork fault);
    Task<Result<Done>> applied(MendNetwork fault);
    Task<Result<Done>> applied(DelayNetwork fault);
    Task<Result<Done>> applied(LoseAnswer fault);
    Task<Result<Done>> applied(JumpClock fault);
    Task<Result<Done>> applied(FreezeServer fault);
    Task<Result<Done>> applied(ResumeServer fault);
    Task<Result<Done>> applied(KillServer fault) { return m_servers.at(fault.server).kill(); }
    Task<Result<Done>> applied(RestartServer fault) { return m_servers.restart(fault.server); }
    Task<Result<Done>> applied(PartitionServer fault);
    Task<Result<Done>> applied(RejoinServer fault);
    Task<Result<Done>> applied(PromoteReplica) { return m_servers.promote(); }
    Task<Result<Done>> applied(HoldReplication);
    Task<Result<Done>> applied(ResumeReplication);
    Task<Result<Done>> applied(MoveSlot fault) {
        return m_servers.moveSlotOf(fault.name.bytes(), fault.from, fault.to);
    }
    Task<Result<Done>> applied(ByHand fault) { return m_servers.at(fault.server).order(std::move(fault.command)); }

    Clock& m_clock;
    std::stop_source m_life;
    ServerSet m_servers;
    std::map<ServerNumber, std::vector<ActorName>> m_partitions;  // by server: the actors on the same side
    std::vector<std::unique_ptr<Actor>> m_actors;
};

}  // namespace lockkeeper::lab
