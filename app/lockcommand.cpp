// SPDX-License-Identifier: Apache-2.0
#include "app/lockcommand.h"

#include "app/errorwords.h"
#include "app/headless.h"
#include "app/terminal.h"
#include "base/safetext.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "platform/childprocess.h"
#include "redis/connection.h"
#include "topology/shardconnections.h"
#include "topology/ssh/sshtunnel.h"

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

constexpr int notInTime = 75;      // EX_TEMPFAIL, as flock(1) uses it
constexpr int notFound = 127;      // as shells use it
constexpr int signalled = 128;
constexpr ThreadId holderThread{1};
constexpr Milliseconds patience = 5s;  // between SIGTERM and SIGKILL

redis::ConnectionOptions optionsOf(const profile::ConnectionProfile& profile) {
    redis::ConnectionOptions options = profile.connectionOptions();
    options.clientName = "lockkeeper-lock";
    return options;
}

locks::Lock lockOf(locks::LockClient& client, const Arguments& arguments) {
    switch (arguments.lockKind) {
        case Arguments::LockKind::Reentrant:
            return client.reentrantLock(arguments.lockName);
        case Arguments::LockKind::Fair:
            return client.fairLock(arguments.lockName);
        case Arguments::LockKind::Read:
            return client.readWriteLock(arguments.lockName).readLock();
        case Arguments::LockKind::Write:
            return client.readWriteLock(arguments.lockName).writeLock();
        case Arguments::LockKind::Fenced:
            return client.fencedLock(arguments.lockName);
        case Arguments::LockKind::Spin:
            return client.spinLock(arguments.lockName);
    }
    return client.reentrantLock(arguments.lockName);
}

QString lossWords(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return QStringLiteral("its lease ran out");
        case locks::LossReason::TakenAway:
            return QStringLiteral("it was taken away: the server no longer names this holder");
    }
    return {};
}

int exitCodeOf(const QProcess& process) {
    // After a crash QProcess returns the signal's number as the exit code.
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : signalled + process.exitCode();
}

}  // namespace

LockCommand::LockCommand(Arguments arguments, QObject* parent)
    : QObject(parent),
      m_arguments(std::move(arguments)),
      m_clock(this),
      m_route(m_arguments.profile.deployment, optionsOf(m_arguments.profile), m_clock),
      m_client(optionsOf(m_arguments.profile), m_route.shards(), m_clock),
      m_lock(lockOf(m_client, m_arguments)) {
    QObject::connect(&m_client, &locks::LockClient::lockLost, this,
                     [this](const locks::HoldKey&, locks::LossReason why) { onLost(why); });
    m_command.setProcessChannelMode(QProcess::ForwardedChannels);
    m_command.setInputChannelMode(QProcess::ForwardedInputChannel);
    // If this program crashes, its lock expires: the command must not continue without the lock.
    if (m_arguments.onLost == Arguments::OnLost::Kill)
        platform::endWithParent(m_command, platform::OrphanEnd::Terminate);
    QObject::connect(&m_command, &QProcess::finished, this, [this] { m_commandEnded.complete(exitCodeOf(m_command)); });
    QObject::connect(&m_command, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        complain(m_command.errorString());
        m_commandEnded.complete(notFound);
    });
    m_killTimer.setSingleShot(true);
    QObject::connect(&m_killTimer, &QTimer::timeout, &m_command, &QProcess::kill);
}

LockCommand::~LockCommand() {
    m_waiting.request_stop();
    m_commandEnded.complete(m_exitCode);
    m_client.close();
    m_scope.stop();
}

void LockCommand::start() {
    m_scope.spawn(run());
}

Task<void> LockCommand::run() {
    Result<Done> connected = co_await openTunnel();
    if (connected)
        connected = co_await connect();
    if (!connected && connected.error().code == ErrorCode::Cancelled) {
        // A signal ended the wait and has already set the exit code.
    } else if (!connected) {
        complain(QStringLiteral("cannot connect to %1: %2")
                     .arg(m_arguments.profile.display(), errorWords(connected.error())));
        m_exitCode = static_cast<int>(ExitCode::NoConnection);
    } else {
        const bool taken = co_await takeLock();
        if (taken)
            m_exitCode = co_await runCommand();
    }
    co_await closeTunnel();
    Q_EMIT finished(m_exitCode);
}

// ssh may ask at the terminal, which takes longer than a connection may take.
Task<Result<Done>> LockCommand::openTunnel() {
    topology::SshTunnel* tunnel = m_route.tunnel();
    if (!tunnel)
        co_return Done();
    const Completion<Done> opened = tunnel->open();
    const Result<Done> up = co_await opened.wait(Deadline::never(m_clock), m_waiting.get_token());
    co_return up;
}

Task<void> LockCommand::closeTunnel() {
    topology::SshTunnel* tunnel = m_route.tunnel();
    if (!tunnel)
        co_return;
    m_client.close();
    const Completion<Done> closed = tunnel->close();
    (void)co_await closed.wait(Deadline::in(m_clock, patience), m_scope.stopToken());
}

Task<Result<Done>> LockCommand::connect() {
    m_client.open();
    topology::ShardConnections& connections = m_client.connections();
    const Completion<Done> firstEnd;
    const auto follow = QObject::connect(&connections, &topology::ShardConnections::stateChanged, this,
                                         [firstEnd](const redis::Connection* connection, redis::Connection::State state) {
                                             if (state == redis::Connection::State::Waiting)
                                                 firstEnd.complete(connection->lastError());
                                         });
    const auto search = QObject::connect(&m_route.shards(), &topology::Shards::failed, this,
                                         [firstEnd](const Error& error) { firstEnd.complete(error); });
    connections.whenReady(m_arguments.lockName.bytes()).then([firstEnd](const Result<Done>& ready) { firstEnd.complete(ready); });
    const Result<Done> connected = co_await firstEnd.wait(Deadline::never(m_clock), m_waiting.get_token());
    disconnect(follow);
    disconnect(search);
    co_return connected;
}

Task<bool> LockCommand::takeLock() {
    const Deadline waitUntil = m_arguments.wait ? Deadline::in(m_clock, *m_arguments.wait) : Deadline::never(m_clock);
    const Result<locks::LockAttempt> taken = co_await m_lock.tryLock(holderThread, waitUntil, m_arguments.lease, m_waiting.get_token());
    if (taken && taken->acquired()) {
        if (taken->token)
            passOnToken(*taken->token);
        co_return true;
    }
    if (taken) {
        m_exitCode = notInTime;
    } else if (taken.error().code != ErrorCode::Cancelled) {
        complain(errorWords(taken.error()));
        m_exitCode = static_cast<int>(ExitCode::NoConnection);
    }
    co_return false;
}

Task<int> LockCommand::runCommand() {
    startCommand();
    const Result<int> ended = co_await m_commandEnded.wait(Deadline::never(m_clock));
    m_killTimer.stop();
    const Result<locks::ReleaseOutcome> released = co_await m_lock.unlock(holderThread);
    if (!released && released.error().code != ErrorCode::NotHeld)
        complain(QStringLiteral("the lock may stay until its lease expires: %1").arg(errorWords(released.error())));
    co_return ended.value();
}

void LockCommand::passOnToken(locks::FencingToken token) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LOCKKEEPER_TOKEN"), QString::number(static_cast<qint64>(token)));
    m_command.setProcessEnvironment(environment);
}

void LockCommand::startCommand() {
    QStringList arguments = m_arguments.command;
    const QString program = arguments.takeFirst();
    m_command.start(program, arguments);
}

void LockCommand::onSignal(int signal, platform::TerminationSignals::Sender sender) {
    if (m_command.state() == QProcess::NotRunning) {
        m_exitCode = signalled + signal;
        m_waiting.request_stop();
    } else if (sender == platform::TerminationSignals::Sender::Process) {
        platform::sendSignal(m_command, signal);
    }
}

void LockCommand::onLost(locks::LossReason why) {
    if (m_command.state() == QProcess::NotRunning)
        return;
    complain(QStringLiteral("the lock '%1' is lost: %2").arg(boundedName(m_arguments.lockName), lossWords(why)));
    if (m_arguments.onLost != Arguments::OnLost::Kill)
        return;
    m_command.terminate();
    m_killTimer.start(patience);
}

}  // namespace lockkeeper::app

#include "moc_lockcommand.cpp"
