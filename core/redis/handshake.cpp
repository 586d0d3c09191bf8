// SPDX-License-Identifier: Apache-2.0
#include "redis/handshake.h"

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

// The version in an answer to INFO, from its line "redis_version:3.0.6".
QByteArray versionIn(const QByteArray& info) {
    for (const QByteArray& line : info.split('\n')) {
        if (line.startsWith("redis_version:"))
            return line.sliced(line.indexOf(':') + 1).trimmed();
    }
    return {};
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
            // A user who may not use PING is connected all the same. After any other error the connection is unusable.
            if (!answer && answer.error().code != ErrorCode::NotPermitted)
                return answer.error();
            return askVersion();
        case Step::Info:
            return afterInfo(answer);
        case Step::SetName:
            return selectDatabase();  // the client name is optional: ignore its refusal
        case Step::Select:
            return answer ? askRole() : Next(answer.error());
        case Step::Role:
            return afterRole(answer);
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

// Not needed after HELLO, whose answer contains the version.
Handshake::Next Handshake::askVersion() {
    return m_server.version.isEmpty() ? sendNext(Step::Info, Command("INFO", {"server"})) : setName();
}

// A user without the right to INFO is connected all the same.
Handshake::Next Handshake::afterInfo(const Result<RespValue>& answer) {
    if (!answer && isWithoutReply(answer.error()))
        return answer.error();
    m_server.version = answer ? versionIn(answer->bytes) : QByteArray();
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
    if (m_options.role == WantedRole::Known && m_role) {
        m_server.role = nameIn(*m_role);
        m_server.master = m_role->master();
    }
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

std::optional<Error> Handshake::noteRole(const Result<RespValue>& answer) {
    if (answer)
        m_role = ServerRole::of(*answer);
    if (m_options.role != WantedRole::Known || !answer)
        return wrongRole(answer);
    if (nameIn(*m_role) == m_server.role && m_role->master() == m_server.master)
        return std::nullopt;
    if (m_server.master.isEmpty())
        return notMaster(*m_role);
    const QString now = m_role->isMaster() ? m_options.endpoint.display() : m_role->master();
    return Error(ErrorCode::ConnectionLost, Cause::MasterChanged, {m_server.master, now});
}

}  // namespace lockkeeper::redis
