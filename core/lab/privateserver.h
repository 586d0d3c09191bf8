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
    QString program;              // empty: redis-server, otherwise valkey-server
    std::optional<quint16> port;  // of 127.0.0.1; nothing: a Unix socket only
    // Where its directory is made, with a short name; empty: that of the system for temporary files.
    QString folder;
    QStringList extra;            // further lines of redis.conf as arguments, e.g. {"--requirepass", "secret"}
    // Further lines of redis.conf that other users must not see, as they see arguments, e.g. "requirepass secret\n".
    QByteArray configuration;
    // Not empty: a Sentinel with these lines of sentinel.conf at its first start, e.g. "sentinel monitor ...". It keeps
    // what it learns in that file.
    QByteArray sentinelConfiguration;
};

// A private redis-server: on a Unix socket in its own directory that only this user may enter, and without persistence
// unless the setup has it. It ends with this object; if the program crashes, the system ends it
// (platform::leadOwnGroup). Thread: one.
class LOCKKEEPER_MONITOR_EXPORT PrivateServer : public QObject {
    Q_OBJECT
public:
    explicit PrivateServer(ServerSetup setup, QObject* parent = nullptr);
    ~PrivateServer() override;

    // In the PATH. Empty: neither.
    [[nodiscard]] static QString installedProgram();
    // Why the system cannot have a socket there that is below this folder. Nothing: it can.
    [[nodiscard]] static std::optional<Error> whyTooLong(const QString& socketPath, const QString& folder);
    // As long as that of a server whose ServerSetup::folder is this one.
    [[nodiscard]] static QString socketPathIn(const QString& folder);

    // started() or failed() follows. A server that has ended can be started again, with the same socket, port and
    // directory.
    void start();
    // In order. stopped() follows, at once if it is not running.
    void stop();
    // At once, as a crash would, and with its child processes. stopped() follows if it is running.
    void kill();
    // As SIGSTOP: its connections stay open, but it is silent. False if that is not possible. kill() ends it all the
    // same.
    [[nodiscard]] bool freeze() { return platform::freezeGroup(m_process); }
    [[nodiscard]] bool resume() { return platform::resumeGroup(m_process); }

    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] bool isReady() const noexcept { return m_ready; }
    [[nodiscard]] QString socketPath() const { return socketPathOf(m_directory.path()); }
    [[nodiscard]] redis::ConnectionOptions options() const;  // over the Unix socket
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }
    [[nodiscard]] const QByteArray& output() const noexcept { return m_output; }  // the end of it

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
    // Empty: there is none.
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
