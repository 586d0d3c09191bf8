// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"
#include "platform/childprocess.h"
#include "redis/connectionoptions.h"

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>

#include <optional>

namespace lockkeeper::lab {

struct ServerSetup {
    QString program;              // empty: redis-server, or valkey-server if that is missing
    std::optional<quint16> port;  // port of 127.0.0.1; nothing: only a Unix socket
    // The folder in which its directory is made, with a short name; empty: the system's folder for temporary files.
    QString folder;
    QStringList extra;  // further lines of redis.conf as arguments, e.g. {"--requirepass", "secret"}
    // Further lines of redis.conf that other users must not see, in contrast to arguments, e.g. "requirepass secret\n".
    QByteArray configuration;
    // If not empty, the server is a Sentinel with these lines of sentinel.conf at its first start, e.g. "sentinel
    // monitor ...". It stores what it learns in that file.
    QByteArray sentinelConfiguration;
};

// A private redis-server on a Unix socket in its own directory, which only this user can access. It has no persistence
// unless the setup asks for it. It ends with this object; if the program crashes, the system ends it
// (platform::leadOwnGroup). Thread: one.
class LOCKKEEPER_MONITOR_EXPORT PrivateServer : public QObject {
    Q_OBJECT
public:
    explicit PrivateServer(ServerSetup setup, QObject* parent = nullptr);
    ~PrivateServer() override;

    // The server program in the PATH; empty if there is none.
    [[nodiscard]] static QString installedProgram();
    // Why the system cannot have a socket with this path below this folder; nothing if it can.
    [[nodiscard]] static std::optional<Error> whyTooLong(const QString& socketPath, const QString& folder);
    // A path as long as the socket path of a server with this ServerSetup::folder.
    [[nodiscard]] static QString socketPathIn(const QString& folder);

    // started() or failed() follows. A server that has ended can be started again, with the same socket, port and
    // directory.
    void start();
    // Stops the server in order. stopped() follows, at once if it is not running.
    void stop();
    // Ends the server and its child processes at once, as a crash would. stopped() follows if it is running.
    void kill();
    // As SIGSTOP: its connections stay open, but it does not answer. False if this is not possible. kill() ends it all
    // the same.
    [[nodiscard]] bool freeze() { return platform::freezeGroup(m_process); }
    [[nodiscard]] bool resume() { return platform::resumeGroup(m_process); }

    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] bool isReady() const noexcept { return m_ready; }
    [[nodiscard]] QString socketPath() const { return socketPathOf(m_directory.path()); }
    [[nodiscard]] redis::ConnectionOptions options() const;  // over the Unix socket
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    [[nodiscard]] const QByteArray& output() const noexcept { return m_output; }  // the last part of it

Q_SIGNALS:
    void started();  // it answers
    void failed(const lockkeeper::Error& error);
    void stopped();

protected:
    // For a test that waits for the server without running other handlers.
    [[nodiscard]] QProcess& process() noexcept { return m_process; }

private:
    [[nodiscard]] static QString socketPathOf(const QString& directory);
    [[nodiscard]] bool isSentinel() const { return !m_setup.sentinelConfiguration.isEmpty(); }
    // Empty if there is no configuration file.
    [[nodiscard]] QString configurationFile() const;
    [[nodiscard]] std::optional<Error> whyNot(const QString& program) const;
    [[nodiscard]] std::optional<Error> writeConfiguration() const;
    [[nodiscard]] QStringList arguments() const;
    void onOutput();
    void onFinished();

    const ServerSetup m_setup;
    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_output;
    bool m_ready = false;
};

}  // namespace lockkeeper::lab
