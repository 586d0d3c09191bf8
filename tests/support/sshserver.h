// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/servers/reservedport.h"

#include <QProcess>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A real sshd of the test on 127.0.0.1, which accepts the present user by a key of the test. An `ssh` in front of the
// user's own in PATH reads a configuration of the test, in which the host "jump" is this server. The server ends with
// this object, and PATH is as before. Works as root, too.
class SshServer {
public:
    enum class HostKey { Known, Unknown, Changed };

    // passPhrase: of the user's key.
    explicit SshServer(const QString& passPhrase = {});
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;
    ~SshServer();

    // Waits until it accepts connections; otherwise false with a qWarning.
    [[nodiscard]] bool start();
    // No new connection is accepted; sessions that are logged in stay.
    void stop();
    // Sets what ssh's file of known hosts contains for this server; at first the server is known.
    void setHostKey(HostKey key);
    [[nodiscard]] bool isKnown() const;
    // The server no longer accepts the key.
    void forgetUser();
    // Adds a line for the host "jump" to ssh's configuration.
    void configure(const QByteArray& line);
    // To be called before start(): allows forwarding only.
    void forbidSessions();
    [[nodiscard]] quint16 port() const { return m_port.number(); }
    // How many logins there were.
    [[nodiscard]] int logins();
    // How many sessions have begun, such as those of a shell or a command.
    [[nodiscard]] int sessions();
    // How many clients were refused that have shown a key.
    [[nodiscard]] int refusals();
    // Processes of ssh that use the test's configuration.
    enum class Role { Master, Any };
    [[nodiscard]] QList<qint64> processes(Role role) const;

private:
    [[nodiscard]] QString path(const char* file) const { return m_directory.filePath(QLatin1String(file)); }
    void write(const char* file, const QByteArray& text) const;
    [[nodiscard]] QByteArray read(const char* file) const;
    void makeKey(const char* file, const QString& passPhrase = {}) const;

    lab::ReservedPort m_port;
    QTemporaryDir m_directory;
    QProcess m_process;
    QByteArray m_log;
    const QByteArray m_pathBefore;
};

}  // namespace lockkeeper::test
