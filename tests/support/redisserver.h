// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "support/reservedport.h"

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A real redis-server of the test, on its own Unix socket and TCP port, without persistence. LOCKKEEPER_TEST_SERVER may
// name another program, such as valkey-server. It ends with the object; if the test crashes, the kernel ends it. It is
// its own process group, so that its child processes end too. Without the program the test fails.
class RedisServer {
public:
    // Arguments for `extra` that keep the data over stop() and kill().
    static QStringList withMemory();
    // extra: further lines of redis.conf as arguments, e.g. {"--requirepass", "secret"}.
    explicit RedisServer(QStringList extra = {});
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer();

    // Starts it and waits until it answers; otherwise false with a qWarning. After stop() it uses the same port and
    // socket.
    [[nodiscard]] bool start();
    // As start(), but returns as soon as the process runs: it may still be loading its data.
    [[nodiscard]] bool startWithoutWaiting();
    void stop();
    // SIGSTOP: connections stay open, but it is silent. kill() ends a frozen server as a crash would.
    void freeze();
    void thaw();
    void kill();
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    [[nodiscard]] quint16 port() const { return m_port.number(); }
    [[nodiscard]] QString socketPath() const { return m_directory.filePath(QStringLiteral("redis.sock")); }
    [[nodiscard]] redis::ConnectionOptions options() const;  // over the Unix socket
    [[nodiscard]] redis::ConnectionOptions tcpOptions() const;
    [[nodiscard]] QString url() const;  // redis://127.0.0.1:PORT

    // Sends one command on a separate socket, blocking, and returns the reply as redis-cli prints it raw. Only for use
    // by tests.
    QString cli(const QStringList& arguments, const QByteArray& standardInput = {});

private:
    QStringList m_extra;
    QTemporaryDir m_directory;
    QProcess m_process;
    ReservedPort m_port;
};

}  // namespace lockkeeper::test
