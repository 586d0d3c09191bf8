// SPDX-License-Identifier: Apache-2.0
#include "app/cli/servercommand.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"
#include "app/cli/programs.h"
#include "app/cli/terminal.h"
#include "async/pause.h"
#include "profile/lockclientoptions.h"
#include "redis/connection.h"
#include "topology/shardconnections.h"
#include "topology/ssh/sshtunnel.h"
#include "ui/words/causetext.h"

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

using platform::GuardedCommand;

constexpr Milliseconds tunnelPatience = 5s;  // with processes of ssh at the end
constexpr Milliseconds pauseAfterRefusal = 250ms;

// If the profile names the writing user alone, everything is done as that one.
redis::ConnectionOptions optionsOf(const profile::ConnectionProfile& profile, const QByteArray& clientName,
                                   ConnectAs user) {
    redis::ConnectionOptions options = profile.connectionOptions();
    options.clientName = clientName;
    if (!profile.writing.user.isEmpty() && (user == ConnectAs::WritingUser || options.credentials.isEmpty()))
        options.credentials = profile.writing;
    return options;
}

locks::LockClientOptions clientOptionsOf(const Arguments& arguments) {
    locks::LockClientOptions options = profile::lockClientOptions(arguments.profile.locks);
    options.watchdogTimeout = arguments.watchdog;
    options.fairLockWaitTimeout = arguments.fairWait;
    options.nameMapper = arguments.nameMapper;
    return options;
}

}  // namespace

ServerCommand::ServerCommand(Arguments arguments, const QByteArray& clientName, QObject* parent, ConnectAs user)
    : QObject(parent),
      m_arguments(std::move(arguments)),
      m_clock(this),
      m_route(m_arguments.profile.deployment, optionsOf(m_arguments.profile, clientName, user), m_clock),
      m_client(optionsOf(m_arguments.profile, clientName, user), m_route.shards(), m_clock,
               clientOptionsOf(m_arguments)),
      m_command(guardProgram()) {
    QObject::connect(&m_command, &GuardedCommand::finished, this, [this](int code) { m_commandEnded.complete(code); });
    QObject::connect(&m_command, &GuardedCommand::failedToStart, this,
                     [this](GuardedCommand::StartFailure failure, const QString& why) {
                         const bool exists = failure == GuardedCommand::StartFailure::NotExecutable;
                         complainOfCommand(why);
                         m_commandEnded.complete(codeOf(exists ? ExitCode::NotExecutable : ExitCode::NotFound));
                     });
}

ServerCommand::~ServerCommand() {
    endTasks();
}

void ServerCommand::endTasks() {
    m_waiting.request_stop();
    m_commandEnded.complete(m_exitCode.value_or(0));
    m_client.close();
    m_scope.stop();
}

void ServerCommand::start() {
    const QString why = m_arguments.command.isEmpty() ? QString() : m_command.whyNotStartable();
    if (why.isEmpty())
        return m_scope.spawn(run());
    complainOfCommand(why);
    Q_EMIT finished(codeOf(ExitCode::NotExecutable));
}

void ServerCommand::complainOfCommand(const QString& why) const {
    complain(CommandLine::tr("cannot run '%1': %2").arg(m_arguments.command.first(), why));
}

Task<void> ServerCommand::run() {
    Result<Done> connected = co_await openTunnel();
    if (connected)
        connected = co_await connect();
    if (!connected && connected.error().code == ErrorCode::Cancelled) {
        // A signal ended the wait and has already set the exit code.
    } else if (!connected) {
        complain(CommandLine::tr("cannot connect to %1: %2")
                     .arg(m_arguments.profile.display(), failureWords(connected.error())));
        m_exitCode = codeOf(exitCodeOf(connected.error()));
    } else {
        complainOfOneNode();
        co_await work();
    }
    m_exitCode = m_exitCode.value_or(codeOf(ExitCode::Done));
    co_await closeTunnel();
    Q_EMIT finished(*m_exitCode);
}

LockName ServerCommand::key() const {
    return m_client.options().nameMapper.onServer(m_arguments.lockName);
}

void ServerCommand::complainOfOneNode() {
    const redis::Connection* connection = m_client.connections().of(key().bytes());
    if (connection && connection->server().mode == "cluster" && !m_route.shards().isCluster())
        complain(oneNodeWords(m_arguments.profile));
}

QString ServerCommand::failureWords(const Error& error) const {
    const std::optional<topology::ShardId> shard = m_route.shards().shardOfKey(key().bytes());
    const QString node = shard ? m_route.shards().masterOf(*shard) : QString();
    const QString words = ui::errorClause(error);
    const QString what = node.isEmpty() || words.contains(node) ? words : QStringLiteral("%1: %2").arg(node, words);
    const QString advice = masterAdvice(error, m_arguments.profile);
    return advice.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, advice);
}

QString ServerCommand::secondsText(Milliseconds time) {
    return QString::number(std::chrono::duration<double>(time).count());
}

// ssh may ask at the terminal, which takes longer than a connection may take.
Task<Result<Done>> ServerCommand::openTunnel() {
    topology::SshTunnel* tunnel = m_route.tunnel();
    if (!tunnel)
        co_return Done();
    const Completion<Done> opened = tunnel->open();
    const Result<Done> up = co_await opened.wait(Deadline::never(m_clock), m_waiting.get_token());
    co_return up;
}

Task<void> ServerCommand::closeTunnel() {
    topology::SshTunnel* tunnel = m_route.tunnel();
    if (!tunnel)
        co_return;
    m_client.close();
    const Completion<Done> closed = tunnel->close();
    (void)co_await closed.wait(Deadline::in(m_clock, tunnelPatience), m_scope.stopToken());
}

Task<Result<Done>> ServerCommand::connect() {
    m_client.open();
    topology::ShardConnections& connections = m_client.connections();
    const Completion<Done> firstEnd;
    const auto follow =
        QObject::connect(&connections, &topology::ShardConnections::stateChanged, this,
                         [firstEnd](const redis::Connection* connection, redis::Connection::State state) {
                             if (state == redis::Connection::State::Waiting)
                                 firstEnd.complete(connection->lastError());
                         });
    const auto search = QObject::connect(&m_route.shards(), &topology::Shards::failed, this,
                                         [firstEnd](const Error& error) { firstEnd.complete(error); });
    connections.whenReady(key().bytes()).then([firstEnd](const Result<Done>& ready) { firstEnd.complete(ready); });
    const Result<Done> connected = co_await firstEnd.wait(Deadline::never(m_clock), m_waiting.get_token());
    disconnect(follow);
    disconnect(search);
    co_return connected;
}

GuardedCommand::Plan ServerCommand::plan() const {
    GuardedCommand::Plan plan;
    plan.command = m_arguments.command;
    plan.waitFor = m_arguments.waitFor;
    plan.grace = m_arguments.grace;
    return plan;
}

ServerCommand::Patience ServerCommand::patienceUntil(Deadline end) {
    if (!m_waiting.stop_requested())
        return {end, m_waiting.get_token()};
    return {end.earlier(Deadline::in(m_clock, m_arguments.grace)), m_scope.stopToken()};
}

// A demoted master refuses the release until the client has found the next master.
bool ServerCommand::wasNotDone(const Error& failure) {
    return failure.code == ErrorCode::ConnectionLost || failure.reply == ReplyKind::ReadOnly;
}

// The connection to a demoted master ends a moment after its answer.
Task<bool> ServerCommand::whenReadyAgain(LockName name, Error failure, Patience patience) {
    if (failure.reply == ReplyKind::ReadOnly) {
        const Deadline next = patience.end.earlier(Deadline::in(m_clock, pauseAfterRefusal));
        (void)co_await pauseUntil(next, patience.stop);
    }
    const Completion<Done> ready = m_client.connections().whenReady(name.bytes());
    const Result<Done> again = co_await ready.wait(patience.end, patience.stop);
    co_return again.ok() && !patience.isOver();
}

// The signal is sent before the message: writing a message blocks if nobody reads the messages.
void ServerCommand::onLost(const QString& why) {
    if (!m_command.isRunning() || m_isLost)
        return;
    m_isLost = true;
    if (endsOnLoss())
        m_command.end();
    complainOfLoss(why);
}

// The limit leaves time for SIGKILL, which takes a moment, too.
GuardedCommand::Limit ServerCommand::limitOf(SteadyTime leaseEnd, Milliseconds lease) const {
    const Milliseconds grace = std::min(m_arguments.grace, lease / 3);
    GuardedCommand::Limit limit;
    limit.killOrphansAt = leaseEnd - grace / 5;
    if (endsOnLoss()) {
        limit.endAt = leaseEnd - grace;
        limit.killAt = limit.killOrphansAt;
    }
    return limit;
}

void ServerCommand::onSignal(int signal, platform::TerminationSignals::Sender sender) {
    if (!m_command.isRunning()) {
        m_exitCode = m_exitCode.value_or(signalled + signal);  // a code that is decided already says more
        m_waiting.request_stop();
    } else if (sender == platform::TerminationSignals::Sender::Process) {
        m_command.end(signal);
    }
}

void ServerCommand::passOn(int signal) {
    if (m_command.isRunning())
        m_command.sendSignal(signal);
    else
        onSignal(signal, platform::TerminationSignals::Sender::Process);
}

// While this program is stopped nothing renews what it holds, so the command must not run either.
void ServerCommand::onStopRequested() {
    ++m_stops;
    if (m_command.isRunning())
        m_command.suspend();
    platform::TerminationSignals::stopProgram();
}

// The process that has continued this program may also have continued the command.
void ServerCommand::onContinued() {
    ++m_stops;
    if (!m_command.isRunning())
        return;
    m_command.halt();
    m_scope.spawn(resume());
}

// A failed read is repeated. When the lease that was known ends, it was renewed meanwhile, or the hold is lost.
Task<void> ServerCommand::resume() {
    const quint64 stops = m_stops;
    const Deadline leaseEnd = Deadline::in(m_clock, heldUntil() - m_clock.now());
    Result<Done> read = co_await readHold();
    while (!read && !leaseEnd.hasPassed() && m_command.isRunning()) {
        const Deadline next = leaseEnd.earlier(Deadline::in(m_clock, pauseAfterRefusal));
        (void)co_await pauseUntil(next, m_scope.stopToken());
        read = co_await readHold();
    }
    const bool isStoppedAgain = stops != m_stops;
    if (!isStoppedAgain)
        m_command.resume();
}

}  // namespace lockkeeper::app

#include "moc_servercommand.cpp"
