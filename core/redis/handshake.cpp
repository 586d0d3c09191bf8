// SPDX-License-Identifier: Apache-2.0
#include "redis/handshake.h"

#include "redis/infofield.h"
#include "redis/replyerrors.h"

#include <QVersionNumber>

namespace lockkeeper::redis {

namespace {

bool meansNoHello(const Error& error) {
    const bool isDenied = error.code == ErrorCode::NotPermitted && error.reply != ReplyKind::ProtectedMode;
    return isDenied || error.reply == ReplyKind::UnknownProtocol || error.reply == ReplyKind::UnknownCommand;
}

Error authFailure(Error error) {
    error.code = ErrorCode::Auth;
    return error;
}

ServerInfo serverInfoOf(const RespValue& hello) {
    ServerInfo info;
    for (size_t i = 0; i + 1 < hello.items.size(); i += 2) {
        const QByteArray& key = hello.items[i].bytes;
        const RespValue& value = hello.items[i + 1];
        if (key == "proto")
            info.protocol = static_cast<int>(value.integer);
        else if (key == "version")
            info.version = value.bytes;
        else if (key == "mode")
            info.mode = value.bytes;
        else if (key == "role")
            info.role = value.bytes;
        else if (key == "id")
            info.connectionId = value.integer;
    }
    return info;
}

// The value of this name in a line of CLIENT LIST: "id=3 addr=10.0.0.7:53422 name=lockkeeper age=12 ..."; no value has
// a space.
QByteArray fieldOf(const QByteArray& client, const QByteArray& name) {
    for (const QByteArray& field : client.simplified().split(' ')) {
        if (field.startsWith(name + '='))
            return field.sliced(name.size() + 1);
    }
    return {};
}

Command readReplication() {
    return Command("INFO", {"replication"});
}

// The role as HELLO names it.
QByteArray nameIn(const ServerRole& role) {
    return role.isMaster() ? "master" : role.isReplica() ? "replica" : QByteArray();
}

}  // namespace

Command Handshake::hello() const {
    Command hello("HELLO");
    hello.arg("3");
    const Credentials& credentials = m_options.credentials;
    if (!credentials.isEmpty())
        hello.arg("AUTH")
            .arg(credentials.user.isEmpty() ? QByteArrayLiteral("default") : credentials.user)
            .arg(credentials.password);
    if (!m_options.clientName.isEmpty())
        hello.arg("SETNAME").arg(m_options.clientName);
    return hello;
}

Handshake::Next Handshake::next(const Result<RespValue>& answer) {
    switch (m_step) {
        case Step::Hello:
            return afterHello(answer);
        case Step::Auth:
            return answer ? ping() : Next(authFailure(answer.error()));
        case Step::Ping:
            return afterPing(answer);
        case Step::Info:
            return afterInfo(answer);
        case Step::SetName:
            return selectDatabase();  // the client name is optional: ignore its refusal
        case Step::Select:
            return answer ? askRole() : Next(answer.error());
        case Step::Role:
            return afterRole(answer);
        case Step::Replication:
            return afterReplication(answer);
        case Step::FindPredecessor:
            return endPredecessor(answer);
        case Step::EndPredecessor:
            return std::optional<Command>();  // a user without the right to CLIENT KILL is connected all the same
    }
    Q_UNREACHABLE();
}

Handshake::Next Handshake::sendNext(Step step, const Command& command) {
    m_step = step;
    return std::optional(command);
}

Handshake::Next Handshake::afterHello(const Result<RespValue>& answer) {
    if (!answer && meansNoHello(answer.error()))
        return authenticate();
    if (!answer)
        return answer.error();
    if (!answer->isAggregate())
        return unexpectedReply(Command("HELLO"), *answer);
    m_server = serverInfoOf(*answer);
    return ping();
}

Handshake::Next Handshake::authenticate() {
    const Credentials& credentials = m_options.credentials;
    if (credentials.isEmpty())
        return ping();
    Command auth("AUTH");
    if (!credentials.user.isEmpty())
        auth.arg(credentials.user);
    auth.arg(credentials.password);
    return sendNext(Step::Auth, auth);
}

// A server that is still loading its data answers HELLO, but refuses PING.
Handshake::Next Handshake::ping() {
    return sendNext(Step::Ping, Command("PING"));
}

// A user who may not use PING is connected all the same. A replica without its master may refuse it, but names its
// master. After any other error the connection is unusable.
Handshake::Next Handshake::afterPing(const Result<RespValue>& answer) {
    const bool isPassedOver = !answer && answer.error().code == ErrorCode::NotPermitted;
    m_isWithoutMaster = !answer && answer.error().reply == ReplyKind::MasterDown && m_options.role == WantedRole::Known;
    if (!answer && !isPassedOver && !m_isWithoutMaster)
        return answer.error();
    return askVersion();
}

// Not needed after HELLO, whose answer contains the version.
Handshake::Next Handshake::askVersion() {
    return m_server.version.isEmpty() ? sendNext(Step::Info, Command("INFO", {"server"})) : setName();
}

// A user without the right to INFO is connected all the same.
Handshake::Next Handshake::afterInfo(const Result<RespValue>& answer) {
    if (!answer && isWithoutReply(answer.error()))
        return answer.error();
    m_server.version =
        answer ? infoField("redis_version", answer->bytes).value_or(QByteArrayView()).toByteArray() : QByteArray();
    const QVersionNumber version = QVersionNumber::fromString(QString::fromLatin1(m_server.version));
    if (!version.isNull() && version < QVersionNumber(3, 2))
        return Error(ErrorCode::Protocol, Cause::ServerTooOld,
                     {QString::fromLatin1(m_server.version), QStringLiteral("3.2")});
    return setName();
}

Handshake::Next Handshake::setName() {
    const bool isNamed = m_server.protocol >= 3 || m_options.clientName.isEmpty();
    if (isNamed)
        return selectDatabase();
    return sendNext(Step::SetName, Command("CLIENT", {"SETNAME", m_options.clientName}));
}

Handshake::Next Handshake::selectDatabase() {
    if (m_options.database == 0)
        return askRole();
    return sendNext(Step::Select, Command("SELECT").arg(m_options.database));
}

Handshake::Next Handshake::askRole() {
    const bool isKnown =
        m_options.role == WantedRole::Any || (m_options.role == WantedRole::Known && m_server.role == "master");
    return isKnown ? findPredecessor() : sendNext(Step::Role, Command("ROLE"));
}

Handshake::Next Handshake::afterRole(const Result<RespValue>& answer) {
    if (answer)
        m_role = ServerRole::of(*answer);
    if (const std::optional<Error> wrong = wrongRole(answer))
        return *wrong;
    if (m_options.role != WantedRole::Known)
        return findPredecessor();
    m_isRoleRefused = !answer && isRefusal(answer.error());
    if (m_role)
        learnRole(*m_role);
    else if (asksReplication())
        return sendNext(Step::Replication, readReplication());
    return useReplica();
}

Handshake::Next Handshake::afterReplication(const Result<RespValue>& answer) {
    if (!answer && isWithoutReply(answer.error()))
        return answer.error();
    const ServerRole role = answer ? ServerRole::of(*answer) : ServerRole();
    if (role.isMaster() || role.isReplica()) {
        m_role = role;
        learnRole(role);
    } else {
        m_isReplicationRefused = true;
    }
    return useReplica();
}

void Handshake::learnRole(const ServerRole& role) {
    m_server.role = nameIn(role);
    m_server.master = role.master();
}

// What a replica without its master shows is old, and it drops locks that its master may have renewed.
Handshake::Next Handshake::useReplica() {
    const MasterLink link = m_role ? m_role->masterLink : MasterLink::NotKnown;
    if (link == MasterLink::Down || (link == MasterLink::NotKnown && m_isWithoutMaster))
        return masterLinkLost(m_server.master);
    return findPredecessor();
}

Handshake::Next Handshake::findPredecessor() {
    if (m_predecessor.connectionId == 0)
        return std::optional<Command>();
    return sendNext(Step::FindPredecessor, Command("CLIENT", {"LIST", "ID"}).arg(m_predecessor.connectionId));
}

Handshake::Next Handshake::endPredecessor(const Result<RespValue>& found) {
    if (!found || !isPredecessor(found->bytes))
        return std::optional<Command>();
    return sendNext(Step::EndPredecessor, Command("CLIENT", {"KILL", "ID"}).arg(m_predecessor.connectionId));
}

// The id alone does not prove it: a restarted server counts from 1 again, so another client may have this id now.
bool Handshake::isPredecessor(const QByteArray& client) const {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(m_predecessor.age).count();
    const auto roundedByServer = 1;
    return fieldOf(client, "name") == m_options.clientName &&
           fieldOf(client, "age").toLongLong() >= seconds - roundedByServer;
}

// For a user without the right to ROLE, only a write that the server refuses (READONLY) shows the role.
std::optional<Error> Handshake::wrongRole(const Result<RespValue>& answer) const {
    if (m_options.role != WantedRole::Master)
        return std::nullopt;
    if (!answer)
        return isRefusalOfCommand(answer.error()) ? std::nullopt : std::optional(answer.error());
    return m_role->isMaster() ? std::nullopt : std::optional(notMaster(*m_role));
}

// INFO has more of a replica than ROLE.
bool Handshake::asksReplication() const {
    return m_options.role == WantedRole::Known && m_server.role == "replica" && !m_isReplicationRefused;
}

std::optional<Command> Handshake::roleQuestion() const {
    if (asksReplication())
        return readReplication();
    return m_isRoleRefused ? std::nullopt : std::optional(Command("ROLE"));
}

std::optional<Error> Handshake::noteRole(const Result<RespValue>& answer, SteadyTime askedAt) {
    const ServerRole role = answer ? ServerRole::of(*answer) : ServerRole();
    const bool isRefused = answer ? asksReplication() && role.name.isEmpty() : isRefusal(answer.error());
    // A user without the right is refused each time, and the server logs each refusal.
    if (isRefused && m_options.role == WantedRole::Known)
        (asksReplication() ? m_isReplicationRefused : m_isRoleRefused) = true;
    if (answer && !isRefused)
        m_role = role;
    if (m_options.role != WantedRole::Known || !answer || isRefused)
        return wrongRole(answer);
    const bool isSame = nameIn(role) == m_server.role && role.master() == m_server.master;
    if (isSame && role.masterLink == MasterLink::Down)
        return masterLinkLost(m_server.master);
    if (isSame) {
        m_roleSeenAt = askedAt;
        return std::nullopt;
    }
    if (m_server.master.isEmpty())
        return notMaster(role);
    const QString now = role.isMaster() ? m_options.endpoint.display() : role.master();
    return Error(ErrorCode::ConnectionLost, Cause::MasterChanged, {m_server.master, now});
}

}  // namespace lockkeeper::redis
