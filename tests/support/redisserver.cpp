// SPDX-License-Identifier: Apache-2.0
#include "support/redisserver.h"

#include <QElapsedTimer>
#include <QTest>

#include <sys/prctl.h>
#include <unistd.h>
#include <csignal>

namespace lockkeeper::test {

QStringList RedisServer::withMemory() {
    return {QStringLiteral("--appendonly"), QStringLiteral("yes"), QStringLiteral("--appendfsync"),
            QStringLiteral("always")};
}

RedisServer::RedisServer(QStringList extra) : m_extra(std::move(extra)) {
    m_process.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    });
    m_process.setProcessChannelMode(QProcess::MergedChannels);
}

RedisServer::~RedisServer() {
    kill();
}

bool RedisServer::startWithoutWaiting() {
    const QStringList arguments = QStringList{QStringLiteral("--port"),
                                              QString::number(port()),
                                              QStringLiteral("--bind"),
                                              QStringLiteral("127.0.0.1"),
                                              QStringLiteral("--save"),
                                              QString(),
                                              QStringLiteral("--appendonly"),
                                              QStringLiteral("no"),
                                              QStringLiteral("--unixsocket"),
                                              socketPath(),
                                              QStringLiteral("--dir"),
                                              m_directory.path(),
                                              QStringLiteral("--enable-debug-command"),
                                              QStringLiteral("yes")} +
                                  m_extra;
    const QString program = qEnvironmentVariable("LOCKKEEPER_TEST_SERVER", QStringLiteral("redis-server"));
    m_process.start(program, arguments);
    if (!m_process.waitForStarted()) {
        qWarning("%s does not start: %s", qPrintable(program), qPrintable(m_process.errorString()));
        return false;
    }
    return true;
}

bool RedisServer::start() {
    if (!startWithoutWaiting())
        return false;
    QElapsedTimer timer;
    timer.start();
    QByteArray output;
    while (timer.elapsed() < 10000 && m_process.state() == QProcess::Running) {
        m_process.waitForReadyRead(100);
        output += m_process.readAll();
        if (output.contains("Ready to accept connections") || output.contains("ready to accept connections at"))
            return true;
    }
    qWarning("redis-server is not ready: %s", output.constData());
    return false;
}

void RedisServer::stop() {
    if (m_process.state() == QProcess::NotRunning)
        return;
    thaw();
    m_process.terminate();
    if (!m_process.waitForFinished(3000))
        kill();
}

void RedisServer::freeze() {
    ::kill(static_cast<pid_t>(processId()), SIGSTOP);
}

void RedisServer::thaw() {
    ::kill(static_cast<pid_t>(processId()), SIGCONT);
}

void RedisServer::kill() {
    if (m_process.state() == QProcess::NotRunning)
        return;
    ::kill(-static_cast<pid_t>(processId()), SIGKILL);
    m_process.waitForFinished();
}

redis::ConnectionOptions RedisServer::options() const {
    redis::ConnectionOptions options;
    options.endpoint.unixPath = socketPath();
    return options;
}

redis::ConnectionOptions RedisServer::tcpOptions() const {
    redis::ConnectionOptions options;
    options.endpoint.port = port();
    return options;
}

QString RedisServer::url() const {
    return QStringLiteral("redis://127.0.0.1:%1").arg(port());
}

QString RedisServer::cli(const QStringList& arguments, const QByteArray& standardInput) {
    QProcess cli;
    cli.start(QStringLiteral("redis-cli"), QStringList{QStringLiteral("-s"), socketPath()} + arguments);
    cli.write(standardInput);
    cli.closeWriteChannel();
    if (!cli.waitForFinished(10000))
        return QStringLiteral("redis-cli: ") + cli.errorString();
    return QString::fromUtf8(cli.readAllStandardOutput()).trimmed();
}

}  // namespace lockkeeper::test
