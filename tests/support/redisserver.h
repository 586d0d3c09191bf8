#pragma once

#include "redis/connectionoptions.h"
#include "support/reservedport.h"

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A real redis-server of a test's own, on a Unix socket and a TCP port of its own, without persistence; another
// program, such as valkey-server, where LOCKKEEPER_TEST_SERVER names it. Ended with the object, and by the kernel
// should the test die; it is a process group of its own, so that a child that saves for it ends too. A machine without
// it fails the test.
class RedisServer {
public:
    // extra that makes it remember everything beyond stop() and kill().
    static QStringList withMemory();
    // extra: further lines of redis.conf as arguments, e.g. {"--requirepass", "secret"}.
    explicit RedisServer(QStringList extra = {});
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer();

    // Starts it and waits until it answers; false with a qWarning that says why not. The same port and socket after
    // stop().
    [[nodiscard]] bool start();
    // As start(), but returns as soon as it runs: it may still load its data.
    [[nodiscard]] bool startWithoutWaiting();
    void stop();
    // SIGSTOP: connected, and silent. kill() ends it from there as a crash would.
    void freeze();
    void thaw();
    void kill();
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    [[nodiscard]] quint16 port() const { return m_port.number(); }
    [[nodiscard]] QString socketPath() const { return m_directory.filePath(QStringLiteral("redis.sock")); }
    [[nodiscard]] redis::ConnectionOptions options() const;  // over the Unix socket
    [[nodiscard]] redis::ConnectionOptions tcpOptions() const;
    [[nodiscard]] QString url() const;  // redis://127.0.0.1:PORT

    // Sends one command from a socket of its own, blocking, and returns the reply as redis-cli would print it raw. For
    // tests' hands only.
    QString cli(const QStringList& arguments, const QByteArray& standardInput = {});

private:
    QStringList m_extra;
    QTemporaryDir m_directory;
    QProcess m_process;
    ReservedPort m_port;
};

}  // namespace lockkeeper::test
