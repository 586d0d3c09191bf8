// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "redis/command.h"
#include "redis/connectionoptions.h"
#include "redis/predecessor.h"
#include "redis/respvalue.h"
#include "redis/serverinfo.h"
#include "redis/serverrole.h"

#include <optional>

namespace lockkeeper::redis {

// The commands that a new connection sends before it is ready, one after the other: HELLO with all its options, PING,
// SELECT, ROLE. Where HELLO is missing (before Redis 6.0, some proxies, users without the right to it): AUTH, PING,
// INFO, CLIENT SETNAME, SELECT, ROLE. INFO reports the version: a server before 3.2 is refused. SELECT and ROLE are
// sent only where they are needed; a replica that refuses ROLE is asked for INFO replication. At the end CLIENT KILL
// ends the predecessor, if the server still has that connection and the user has the right; the server then executes no
// more commands of the predecessor. Does no I/O.
class LOCKKEEPER_EXPORT Handshake {
public:
    explicit Handshake(const ConnectionOptions& options, Predecessor predecessor = {})
        : m_options(options), m_predecessor(predecessor) {}

    [[nodiscard]] Command hello() const;
    // The command to send after the answer to the one before; nothing when the connection is ready.
    [[nodiscard]] Result<std::optional<Command>> next(const Result<RespValue>& answer);
    [[nodiscard]] bool isAnswered() const noexcept { return m_step != Step::Hello; }
    [[nodiscard]] const ServerInfo& server() const noexcept { return m_server; }
    // The last answer to ROLE or INFO replication; nothing if there was none.
    [[nodiscard]] const std::optional<ServerRole>& role() const noexcept { return m_role; }
    // After the handshake: the command that reads the role again; nothing if the server has refused each of them.
    [[nodiscard]] std::optional<Command> roleQuestion() const;
    // For an answer to roleQuestion(): why the connection must end; nothing if it may stay.
    [[nodiscard]] std::optional<Error> noteRole(const Result<RespValue>& answer, SteadyTime askedAt);
    // When the last question was sent whose answer let the connection stay.
    [[nodiscard]] SteadyTime roleSeenAt() const noexcept { return m_roleSeenAt; }

private:
    enum class Step { Hello, Auth, Ping, Info, SetName, Select, Role, Replication, FindPredecessor, EndPredecessor };
    using Next = Result<std::optional<Command>>;

    Next sendNext(Step step, const Command& command);
    Next afterHello(const Result<RespValue>& answer);
    Next authenticate();
    Next ping();
    Next afterPing(const Result<RespValue>& answer);
    Next askVersion();
    Next afterInfo(const Result<RespValue>& answer);
    Next setName();
    Next selectDatabase();
    Next askRole();
    Next afterRole(const Result<RespValue>& answer);
    Next afterReplication(const Result<RespValue>& answer);
    Next useReplica();
    Next findPredecessor();
    Next endPredecessor(const Result<RespValue>& found);
    [[nodiscard]] bool isPredecessor(const QByteArray& client) const;
    [[nodiscard]] std::optional<Error> wrongRole(const Result<RespValue>& answer) const;
    void learnRole(const ServerRole& role);
    [[nodiscard]] bool asksReplication() const;

    ConnectionOptions m_options;
    Predecessor m_predecessor;
    ServerInfo m_server;
    std::optional<ServerRole> m_role;
    bool m_isRoleRefused = false;
    bool m_isReplicationRefused = false;
    bool m_isWithoutMaster = false;  // a replica has answered MASTERDOWN
    SteadyTime m_roleSeenAt{};
    Step m_step = Step::Hello;
};

}  // namespace lockkeeper::redis
