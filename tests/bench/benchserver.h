#pragma once

#include "base/systemclock.h"
#include "redis/connection.h"
#include "redis/script.h"
#include "support/redisserver.h"

#include <QMap>

namespace lockkeeper::bench {

using CommandCounts = QMap<QString, qint64>;

// A real server of a bench's own, and the connection with which the bench fills and loads it. Ends the program when
// something does not work.
class BenchServer {
public:
    BenchServer();

    [[nodiscard]] redis::ConnectionOptions options() const { return m_server.options(); }
    [[nodiscard]] QString socketPath() const { return m_server.socketPath(); }
    [[nodiscard]] QString url() const { return QStringLiteral("unix://") + m_server.socketPath(); }
    [[nodiscard]] qint64 processId() const { return m_server.processId(); }

    // Without waiting for the answer.
    Completion<redis::RespValue> send(const redis::Command& command) { return m_connection.send(command); }
    redis::RespValue ask(const redis::Command& command);
    // Held ones, PREFIX0 and so on, each by a holder of its own.
    void makeLocks(const QByteArray& prefix, int count, std::chrono::milliseconds lease);
    // Hashes that are no locks.
    void makeHashes(const QByteArray& prefix, int count);
    // Strings.
    void makeOtherKeys(int count);
    void loadScript(const redis::Script& script);

    // How often each command has run so far, in scripts too; those that ask for it are left out.
    [[nodiscard]] CommandCounts calls();
    // A figure of INFO.
    [[nodiscard]] qint64 info(const QByteArray& section, const QByteArray& field);

private:
    void makeInParts(const QByteArray& script, const QByteArray& prefix, int count, const QByteArray& last);

    test::RedisServer m_server;
    SystemClock m_clock;
    redis::Connection m_connection;
};

// What was counted between two moments.
[[nodiscard]] CommandCounts difference(const CommandCounts& after, const CommandCounts& before);

}  // namespace lockkeeper::bench
