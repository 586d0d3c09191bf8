// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "async/taskscope.h"
#include "base/result.h"
#include "lab/actor.h"
#include "lab/fault.h"
#include "lab/privateserver.h"
#include "lab/replicationline.h"
#include "lab/serversplan.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockkeeper::lab {

// Private servers and programs that use locks on them, and everything that can go wrong between them. The servers are
// on Unix sockets in a folder of mode 0700. All of it ends with this object, and, on POSIX, also if the program is
// killed. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT Laboratory : public QObject {
    Q_OBJECT
public:
    // serverProgram: empty: the installed one.
    explicit Laboratory(Clock& clock, QString serverProgram = {}, QObject* parent = nullptr);
    ~Laboratory() override;

    // Returns when every actor is connected to every server. Call once.
    [[nodiscard]] Task<Result<Done>> start(ServersPlan servers, std::vector<ActorPlan> actors);
    [[nodiscard]] Task<Result<Done>> apply(Fault fault);
    // A command of nobody in the scenario, for reading what the server has. Error replies are errors.
    [[nodiscard]] Task<Result<redis::RespValue>> ask(ServerNumber server, QByteArrayList command);

    // Null if there is none.
    [[nodiscard]] Actor* actor(const ActorName& name) const;
    [[nodiscard]] const std::vector<std::unique_ptr<Actor>>& actors() const noexcept { return m_actors; }
    [[nodiscard]] int serverCount() const { return static_cast<int>(m_servers.size()); }
    // To that server itself, even if another one has taken its place.
    [[nodiscard]] redis::ConnectionOptions serverOptions(ServerNumber server) const;
    [[nodiscard]] bool isAlive(ServerNumber server) const { return at(server).process->isReady(); }
    [[nodiscard]] bool isFrozen(ServerNumber server) const { return at(server).isFrozen; }
    [[nodiscard]] bool isReplica(ServerNumber server) const;
    // Crashes all of them, and ends every wait here.
    void end();

private:
    struct Server {
        std::unique_ptr<PrivateServer> process;
        std::unique_ptr<redis::Connection> hand;
        bool isFrozen = false;
    };

    [[nodiscard]] std::optional<Error> makeFolder();
    [[nodiscard]] std::optional<Error> addServer();
    // A replicated server has its password and its master from its first moment on, also when it is started again.
    [[nodiscard]] QByteArray configurationOf(ServerNumber server) const;
    void addActor(const ActorPlan& plan);
    // Where a client that wants this server is led to.
    [[nodiscard]] redis::ConnectionOptions optionsOf(ServerNumber server) const;
    [[nodiscard]] Server& at(ServerNumber server) { return m_servers.at(static_cast<size_t>(server)); }
    [[nodiscard]] const Server& at(ServerNumber server) const { return m_servers.at(static_cast<size_t>(server)); }
    [[nodiscard]] Deadline patience() const;

    Task<Result<Done>> startServer(ServerNumber server);
    Task<Result<Done>> restartServer(ServerNumber server);
    Task<Result<Done>> awaitReplica();
    Task<Result<Done>> killServer(ServerNumber server);
    Task<Result<Done>> promote();
    Task<Result<Done>> order(ServerNumber server, QByteArrayList command);
    Task<bool> pause(Milliseconds time);

    // One for each kind of fault.
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
    Task<Result<Done>> applied(KillServer fault) { return killServer(fault.server); }
    Task<Result<Done>> applied(RestartServer fault) { return restartServer(fault.server); }
    Task<Result<Done>> applied(PromoteReplica) { return promote(); }
    Task<Result<Done>> applied(HoldReplication);
    Task<Result<Done>> applied(ResumeReplication);
    Task<Result<Done>> applied(ByHand fault) { return order(fault.server, std::move(fault.command)); }

    Clock& m_clock;
    const QString m_serverProgram;
    const QByteArray
        m_password;  // of replicated servers, because the port of the replication line is open to all users
    ServersPlan m_plan;
    const QString m_folder;  // of the servers
    std::unique_ptr<QProcess> m_folderKeeper;
    std::vector<Server> m_servers;
    std::unique_ptr<ReplicationLine> m_replication;
    bool m_isPromoted = false;
    std::vector<std::unique_ptr<Actor>> m_actors;
    std::stop_source m_life;
};

}  // namespace lockkeeper::lab
