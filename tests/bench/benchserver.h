// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "redis/connection.h"
#include "redis/script.h"
#include "support/redisserver.h"

#include <QMap>

#include <memory>

namespace lockkeeper::bench {

using CommandCounts = QMap<QString, qint64>;

// A real server, and the connection that fills and loads it. Aborts the program on any failure.
class BenchServer {
public:
    // Starts a server.
    BenchServer();
    // Uses a server that runs already, and outlives this object.
    explicit BenchServer(test::RedisServer& running);

    [[nodiscard]] redis::ConnectionOptions options() const { return m_server.options(); }
    [[nodiscard]] QString socketPath() const { return m_server.socketPath(); }
    [[nodiscard]] QString url() const { return QStringLiteral("unix://") + m_server.socketPath(); }
    [[nodiscard]] QString tcpUrl() const { return m_server.url(); }
    [[nodiscard]] qint64 processId() const { return m_server.processId(); }
    // Connections of the frozen server stay open, but it sends nothing.
    void freeze() { m_server.freeze(); }
    void thaw() { m_server.thaw(); }

    // Does not wait for the answer.
    Completion<redis::RespValue> send(const redis::Command& command) { return m_connection.send(command); }
    redis::RespValue ask(const redis::Command& command);
    // A held lock of the holder NUMBER, without waiting for the answer.
    void makeLock(const QByteArray& name, int number, std::chrono::milliseconds lease);
    // Held locks named PREFIX0 and so on, each with its own holder.
    void makeLocks(const QByteArray& prefix, int count, std::chrono::milliseconds lease);
    // Hashes that are not locks.
    void makeHashes(const QByteArray& prefix, int count);
    // Strings.
    void makeOtherKeys(int count);
    void loadScript(const redis::Script& script);

    // How many times each command has run so far, including those in scripts, but without the commands of this
    // function.
    [[nodiscard]] CommandCounts calls();
    // A figure of INFO.
    [[nodiscard]] qint64 info(const QByteArray& section, const QByteArray& field);

private:
    explicit BenchServer(std::unique_ptr<test::RedisServer> own);
    void makeInParts(const QByteArray& script, const QByteArray& prefix, int count, const QByteArray& last);

    std::unique_ptr<test::RedisServer> m_own;
    test::RedisServer& m_server;
    SystemClock m_clock;
    redis::Connection m_connection;
};

// The counts between two calls.
[[nodiscard]] CommandCounts difference(const CommandCounts& after, const CommandCounts& before);

}  // namespace lockkeeper::bench
