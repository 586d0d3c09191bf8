// SPDX-License-Identifier: Apache-2.0
#include "support/redisserver.h"

#include "support/tool.h"

#include <QElapsedTimer>
#include <QProcess>

#include <csignal>

namespace lockkeeper::test {

namespace {

lab::ServerSetup setupOf(quint16 port, QStringList extra, const QByteArray& sentinelConfiguration) {
    lab::ServerSetup setup;
    setup.program = qEnvironmentVariable("LOCKKEEPER_TEST_SERVER");
    setup.port = port;
    setup.sentinelConfiguration = sentinelConfiguration;
    extra.replaceInStrings(RedisServer::ownPort(), QString::number(port));
    setup.extra = QStringList{QStringLiteral("--enable-debug-command"), QStringLiteral("yes")} + std::move(extra);
    return setup;
}

}  // namespace

QStringList RedisServer::withMemory() {
    return {QStringLiteral("--appendonly"), QStringLiteral("yes"), QStringLiteral("--appendfsync"),
            QStringLiteral("always")};
}

RedisServer::RedisServer(QStringList extra) : RedisServer(std::move(extra), {}) {}

RedisServer::RedisServer(QStringList extra, const QByteArray& sentinelConfiguration)
    : m_server(setupOf(m_port.number(), std::move(extra), sentinelConfiguration)) {}

std::unique_ptr<RedisServer> RedisServer::sentinel(const QByteArray& configuration, const QStringList& extra) {
    return std::unique_ptr<RedisServer>(new RedisServer(extra, configuration));
}

RedisServer::~RedisServer() {
    kill();
}

bool RedisServer::startWithoutWaiting() {
    m_server.start();
    if (m_server.process().waitForStarted())
        return true;
    qWarning("no server starts: %s (the package redis-server has one, and LOCKKEEPER_TEST_SERVER may name another)",
             qPrintable(m_server.process().errorString()));
    return false;
}

bool RedisServer::start() {
    if (!startWithoutWaiting())
        return false;
    QElapsedTimer timer;
    timer.start();
    while (!m_server.isReady() && timer.elapsed() < 10000 && m_server.process().state() == QProcess::Running)
        m_server.process().waitForReadyRead(100);
    if (m_server.isReady())
        return true;
    qWarning("redis-server is not ready: %s", m_server.output().constData());
    return false;
}

void RedisServer::stop() {
    if (m_server.process().state() == QProcess::NotRunning)
        return;
    thaw();
    m_server.stop();
    if (!m_server.process().waitForFinished(3000))
        kill();
}

void RedisServer::kill() {
    if (m_server.process().state() == QProcess::NotRunning)
        return;
    m_server.kill();
    m_server.process().waitForFinished();
}

void RedisServer::freeze() {
    ::kill(static_cast<pid_t>(processId()), SIGSTOP);
}

void RedisServer::thaw() {
    ::kill(static_cast<pid_t>(processId()), SIGCONT);
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
    cli.start(tool(QStringLiteral("redis-cli"), QStringLiteral("redis-tools")),
              QStringList{QStringLiteral("-s"), socketPath()} + arguments);
    cli.write(standardInput);
    cli.closeWriteChannel();
    if (!cli.waitForFinished(10000))
        return QStringLiteral("redis-cli: ") + cli.errorString();
    return QString::fromUtf8(cli.readAllStandardOutput()).trimmed();
}

}  // namespace lockkeeper::test
