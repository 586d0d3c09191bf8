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
#include "redis/connection.h"
#include "topology/shardconnections.h"
#include "topology/ssh/sshtunnel.h"

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

using platform::GuardedCommand;

constexpr ThreadId holderThread{1};
constexpr Milliseconds patience = 5s;  // with processes of ssh at the end

int codeOf(ExitCode code) {
    return static_cast<int>(code);
}

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

QString secondsText(Milliseconds time) {
    return QString::number(std::chrono::duration<double>(time).count());
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
                     [this](const locks::HoldKey&, locks::LossReason why) { onLost(lossWords(why)); });
    QObject::connect(&m_command, &GuardedCommand::finished, this, [this](int code) { m_commandEnded.complete(code); });
    QObject::connect(&m_command, &GuardedCommand::failedToStart, this,
                     [this](GuardedCommand::StartFailure failure, const QString& why) {
                         const bool exists = failure == GuardedCommand::StartFailure::NotExecutable;
                         complain(QStringLiteral("cannot run '%1': %2").arg(m_arguments.command.first(), why));
                         m_commandEnded.complete(codeOf(exists ? ExitCode::NotExecutable : ExitCode::NotFound));
                     });
}

LockCommand::~LockCommand() {
    m_waiting.request_stop();
    m_commandEnded.complete(m_exitCode);
    m_clock.cancel(m_leaseTimer);
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
        m_exitCode = codeOf(exitCodeOf(connected.error()));
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
    const bool isCancelled = m_waiting.stop_requested();
    if (taken && taken->acquired() && isCancelled) {
        const bool isGivenBack = co_await giveBack();
        if (!isGivenBack)
            m_exitCode = codeOf(ExitCode::MayBeLeft);
        co_return false;
    }
    if (taken && taken->acquired()) {
        if (taken->token)
            m_token = QString::number(static_cast<qint64>(*taken->token));
        co_return true;
    }
    if (taken && !isCancelled) {
        m_exitCode = codeOf(ExitCode::NotInTime);
    } else if (!taken && taken.error().code != ErrorCode::Cancelled) {
        complain(errorWords(taken.error()));
        m_exitCode = codeOf(exitCodeOf(taken.error()));
    }
    co_await leaveNothing();
    co_return false;
}

// An acquire whose answer nobody waits for may still take the lock, for its whole lease.
Task<void> LockCommand::leaveNothing() {
    const Completion<Done> settled = m_client.whenSettled(m_lock.holdKey(holderThread));
    const Result<Done> over = co_await settled.wait(Deadline::in(m_clock, m_arguments.grace), m_scope.stopToken());
    if (over)
        co_return;
    complainOfWhatMayBeLeft();
    m_exitCode = codeOf(ExitCode::MayBeLeft);
}

void LockCommand::complainOfWhatMayBeLeft() {
    const Milliseconds lease = m_arguments.lease.value_or(m_client.options().watchdogTimeout);
    complain(QStringLiteral("the server has not answered: '%1' may be held by %2, for up to %3 s after the server has done what was sent")
                 .arg(boundedName(m_arguments.lockName), m_lock.holder(holderThread).display(), secondsText(lease)));
}

Task<int> LockCommand::runCommand() {
    m_command.start(plan());
    endBeforeLeaseEnds();
    const Result<int> ended = co_await m_commandEnded.wait(Deadline::never(m_clock));
    m_clock.cancel(std::exchange(m_leaseTimer, Clock::TimerId::None));
    const bool wasLost = m_isLost;
    const bool isGivenBack = co_await giveBack();
    if (wasLost)
        co_return codeOf(ExitCode::LostWhileRunning);
    co_return isGivenBack ? ended.value() : codeOf(ExitCode::MayBeLeft);
}

// A release that fails is repeated by the client where that is safe, as long as the lease lasts, or until a signal
// comes.
Task<bool> LockCommand::giveBack() {
    const locks::HoldKey key = m_lock.holdKey(holderThread);
    const Deadline leaseEnd = Deadline::in(m_clock, m_client.hold(key).deadline - m_clock.now());
    const Result<locks::ReleaseOutcome> released = co_await m_lock.unlock(holderThread);
    if (released || released.error().code == ErrorCode::NotHeld)
        co_return true;
    if (released.error().code == ErrorCode::ConnectionLost) {
        // It was not sent.
        const Completion<Done> ready = m_client.connections().whenReady(key.name.bytes());
        const Result<Done> again = co_await ready.wait(leaseEnd, m_waiting.get_token());
        if (again) {
            const Result<locks::ReleaseOutcome> second = co_await m_lock.unlock(holderThread);
            if (second || second.error().code == ErrorCode::NotHeld)
                co_return true;
        }
    }
    const Completion<Done> settled = m_client.whenSettled(key);
    const Result<Done> over = co_await settled.wait(leaseEnd, m_waiting.get_token());
    if (over && released.error().code == ErrorCode::OutcomeUnknown)
        co_return true;
    complain(QStringLiteral("the lock '%1' may stay until its lease ends, held by %2: %3")
                 .arg(boundedName(m_arguments.lockName), m_lock.holder(holderThread).display(), errorWords(released.error())));
    co_return false;
}

GuardedCommand::Plan LockCommand::plan() const {
    GuardedCommand::Plan plan;
    plan.command = m_arguments.command;
    if (!m_token.isEmpty())
        plan.environment.insert(QStringLiteral("LOCKKEEPER_TOKEN"), m_token);
    plan.waitFor = m_arguments.waitFor;
    plan.withoutParent = endsOnLoss() ? GuardedCommand::WithoutParent::EndAll : GuardedCommand::WithoutParent::GoOn;
    plan.grace = m_arguments.lease && endsOnLoss() ? grace() * 4 / 5 : grace();  // SIGKILL takes a moment, too
    return plan;
}

// With a fixed lease the end must be over before the lease is.
Milliseconds LockCommand::grace() const {
    return m_arguments.lease && endsOnLoss() ? std::min(m_arguments.grace, *m_arguments.lease / 3) : m_arguments.grace;
}

void LockCommand::endBeforeLeaseEnds() {
    if (!m_arguments.lease || !endsOnLoss())
        return;
    const SteadyTime leaseEnd = m_client.hold(m_lock.holdKey(holderThread)).deadline;
    m_leaseTimer = m_clock.schedule(leaseEnd - grace(), [this] {
        m_leaseTimer = Clock::TimerId::None;
        onLost(QStringLiteral("its lease is about to end"));
    });
}

// ---- what comes in between ----

void LockCommand::onSignal(int signal, platform::TerminationSignals::Sender sender) {
    if (!m_command.isRunning()) {
        m_exitCode = signalled + signal;
        m_waiting.request_stop();
    } else if (sender == platform::TerminationSignals::Sender::Process) {
        m_command.end(signal);
    }
}

void LockCommand::passOn(int signal) {
    if (m_command.isRunning())
        m_command.sendSignal(signal);
    else
        onSignal(signal, platform::TerminationSignals::Sender::Process);
}

void LockCommand::onContinued() {
    if (m_command.isRunning())
        m_scope.spawn(checkHold());
}

Task<void> LockCommand::checkHold() {
    const Result<bool> isHeld = co_await m_lock.isHeldBy(m_lock.holder(holderThread));
    if (isHeld && !*isHeld)
        onLost(lossWords(locks::LossReason::TakenAway));
}

// The order comes first: nobody may read what is said.
void LockCommand::onLost(const QString& why) {
    if (!m_command.isRunning() || m_isLost)
        return;
    m_isLost = true;
    if (endsOnLoss())
        m_command.end();
    complain(QStringLiteral("the lock '%1' is lost: %2").arg(boundedName(m_arguments.lockName), why));
}

}  // namespace lockkeeper::app

#include "moc_lockcommand.cpp"
