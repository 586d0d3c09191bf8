// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/privateserver.h"
#include "lab/servers/reservedport.h"
#include "support/ownport.h"

#include <QStringList>

#include <memory>

namespace lockkeeper::test {

// A real redis-server of the test, on its own Unix socket and TCP port, without persistence: a lab::PrivateServer that
// can be waited for. LOCKKEEPER_TEST_SERVER may name another program, such as valkey-server. Without the program the
// test fails.
class RedisServer {
public:
    // Arguments for `extra` that keep the data over stop() and kill().
    static QStringList withMemory();
    // See ownport.h.
    static QString ownPort() { return test::ownPort(); }
    // extra: further lines of redis.conf as arguments, e.g. {"--requirepass", "secret"}.
    explicit RedisServer(QStringList extra = {});
    // A Sentinel with these lines of sentinel.conf.
    [[nodiscard]] static std::unique_ptr<RedisServer> sentinel(const QByteArray& configuration,
                                                               const QStringList& extra = {});
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer();

    // Starts the server and waits until it answers; otherwise false with a qWarning. After stop() it uses the same
    // port and socket.
    [[nodiscard]] bool start();
    // As start(), but returns as soon as the process runs: it may still be loading its data.
    [[nodiscard]] bool startWithoutWaiting();
    // stop() and kill() wait for the end of the process, without running other handlers.
    void stop();
    void kill();
    // SIGSTOP: connections stay open, but it is silent. kill() ends a frozen server as a crash would.
    void freeze();
    void thaw();
    [[nodiscard]] qint64 processId() const { return m_server.processId(); }
    [[nodiscard]] quint16 port() const { return m_port.number(); }
    [[nodiscard]] QString socketPath() const { return m_server.socketPath(); }
    [[nodiscard]] redis::ConnectionOptions options() const { return m_server.options(); }  // over the Unix socket
    [[nodiscard]] redis::ConnectionOptions tcpOptions() const;
    [[nodiscard]] QString url() const;  // redis://127.0.0.1:PORT

    // Sends one command on a separate socket, blocking, and returns the reply as redis-cli prints it raw. Only for use
    // by tests.
    QString cli(const QStringList& arguments, const QByteArray& standardInput = {});

private:
    RedisServer(QStringList extra, const QByteArray& sentinelConfiguration);

    class Server : public lab::PrivateServer {
    public:
        using PrivateServer::PrivateServer;
        using PrivateServer::process;
    };

    lab::ReservedPort m_port;
    Server m_server;
};

}  // namespace lockkeeper::test
