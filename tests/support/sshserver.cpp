// SPDX-License-Identifier: Apache-2.0
#include "support/sshserver.h"

#include "platform/childprocess.h"
#include "support/files.h"
#include "support/tool.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>

namespace lockkeeper::test {

SshServer::SshServer(const QString& passPhrase) : m_pathBefore(qgetenv("PATH")) {
    makeKey("host");
    makeKey("otherhost");
    makeKey("user", passPhrase);
    write("authorized", read("user.pub"));
    const QByteArray folder = QFile::encodeName(m_directory.path());
    write("sshd_config",
          "Port " + QByteArray::number(port()) + "\nListenAddress 127.0.0.1\nHostKey " + folder +
              "/host\nAuthorizedKeysFile " + folder +
              "/authorized\nPidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n"
              "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUseDNS no\nLogLevel VERBOSE\n");
    write("ssh_config",
          "Host jump\n HostName 127.0.0.1\n Port " + QByteArray::number(port()) + "\n IdentityFile " + folder +
              "/user\n IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile " + folder +
              "/known\n GlobalKnownHostsFile /dev/null\n StrictHostKeyChecking ask\n UpdateHostKeys no\n");
    setHostKey(HostKey::Known);
    const QString ssh = tool(QStringLiteral("ssh"), QStringLiteral("openssh-client"));
    QDir(m_directory.path()).mkdir(QStringLiteral("bin"));
    write("bin/ssh", "#!/bin/sh\nexec " + QFile::encodeName(ssh) + " -F " + folder + "/ssh_config \"$@\"\n");
    QFile::setPermissions(path("bin/ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("PATH", folder + "/bin:" + m_pathBefore);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    platform::endWithParent(m_process);
}

SshServer::~SshServer() {
    stop();
    qputenv("PATH", m_pathBefore);
}

bool SshServer::start() {
    // The system's folder, which packages make when their own sshd starts. Only root's sshd uses it.
    QDir().mkpath(QStringLiteral("/run/sshd"));
    m_process.start(tool(QStringLiteral("sshd"), QStringLiteral("openssh-server")),
                    {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"), path("sshd_config")});
    const QDeadlineTimer deadline(10000);
    while (!m_log.contains("Server listening") && m_process.state() != QProcess::NotRunning && !deadline.hasExpired()) {
        m_process.waitForReadyRead(100);
        m_log += m_process.readAll();
    }
    if (m_log.contains("Server listening"))
        return true;
    qWarning("sshd does not start: %s %s", qPrintable(m_process.errorString()), m_log.constData());
    return false;
}

void SshServer::stop() {
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void SshServer::setHostKey(HostKey key) {
    const QByteArray known = read(key == HostKey::Changed ? "otherhost.pub" : "host.pub");
    const QByteArray name = "[127.0.0.1]:" + QByteArray::number(port()) + ' ';
    write("known", key == HostKey::Unknown ? QByteArray() : name + known);
}

bool SshServer::isKnown() const {
    return read("known").contains(read("host.pub").split(' ').at(1));
}

void SshServer::forgetUser() {
    write("authorized", {});
}

void SshServer::configure(const QByteArray& line) {
    write("ssh_config", read("ssh_config") + ' ' + line + '\n');
}

void SshServer::forbidSessions() {
    write("sshd_config", read("sshd_config") + "MaxSessions 0\n");
}

int SshServer::sessions() {
    m_log += m_process.readAll();
    return static_cast<int>(m_log.count("Starting session"));
}

int SshServer::logins() {
    m_log += m_process.readAll();
    return static_cast<int>(m_log.count("Accepted publickey"));
}

int SshServer::refusals() {
    m_log += m_process.readAll();
    return static_cast<int>(m_log.count("Connection closed by authenticating user"));
}

QList<qint64> SshServer::processes(Role role) const {
    QList<qint64> found;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const QByteArrayList words = contentOf(QStringLiteral("/proc/%1/cmdline").arg(entry)).split('\0');
        if (words.contains(QFile::encodeName(path("ssh_config"))) && (role == Role::Any || words.contains("-M")))
            found << entry.toLongLong();
    }
    return found;
}

void SshServer::write(const char* file, const QByteArray& text) const {
    QFile target(path(file));
    if (!target.open(QIODevice::WriteOnly) || target.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(target.fileName()));
}

QByteArray SshServer::read(const char* file) const {
    return contentOf(path(file));
}

void SshServer::makeKey(const char* file, const QString& passPhrase) const {
    QProcess program;
    program.start(QStringLiteral("ssh-keygen"), {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                                                 QStringLiteral("-N"), passPhrase, QStringLiteral("-f"), path(file)});
    if (!program.waitForFinished(10000) || program.exitCode() != 0)
        qFatal("ssh-keygen: %s", program.readAllStandardError().constData());
}

}  // namespace lockkeeper::test
