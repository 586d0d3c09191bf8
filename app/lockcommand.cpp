// SPDX-License-Identifier: Apache-2.0
#include "app/lockcommand.h"

#include "app/errorwords.h"
#include "app/headless.h"
#include "app/terminal.h"
#include "base/safetext.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "topology/shardconnections.h"

namespace lockkeeper::app {

namespace {

using platform::GuardedCommand;

constexpr ThreadId holderThread{1};

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
        case Arguments::LockKind::NonReentrant:
            return client.nonReentrantLock(arguments.lockName);
        case Arguments::LockKind::NonReentrantFair:
            return client.nonReentrantFairLock(arguments.lockName);
    }
    return client.reentrantLock(arguments.lockName);
}

QString lossWords(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return QStringLiteral("its lease ran out");
        case locks::LossReason::TakenAway:
            return QStringLiteral("the server no longer names this holder");
        case locks::LossReason::Deleted:
            return QStringLiteral("it was deleted or released by force");
        case locks::LossReason::TakenOver:
            return QStringLiteral("another holder has it now");
    }
    return {};
}

QString secondsText(Milliseconds time) {
    return QString::number(std::chrono::duration<double>(time).count());
}

}  // namespace

LockCommand::LockCommand(Arguments arguments, QObject* parent)
    : ServerCommand(std::move(arguments), QByteArrayLiteral("lockkeeper-lock"), parent),
      m_lock(lockOf(m_client, m_arguments)) {
    QObject::connect(&m_client, &locks::LockClient::lockLost, this,
                     [this](const locks::HoldKey&, locks::LossReason why) { onLost(lossWords(why)); });
    QObject::connect(&m_client, &locks::LockClient::lossDetectionChanged, this, &LockCommand::onLossDetectionChanged);
}

LockCommand::~LockCommand() {
    m_clock.cancel(m_leaseTimer);
    endTasks();
}

Task<void> LockCommand::work() {
    const bool taken = co_await takeLock();
    if (taken)
        m_exitCode = co_await runCommand();
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
        complain(failureWords(taken.error()));
        const bool mayWorkLater =
            taken.error().cause == Cause::TooFewReplicas || taken.error().reply == ReplyKind::NoReplicas;
        m_exitCode = codeOf(mayWorkLater ? ExitCode::NotInTime : exitCodeOf(taken.error()));
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
    GuardedCommand::Plan plan = ServerCommand::plan();
    if (!m_token.isEmpty())
        plan.environment.insert(QStringLiteral("LOCKKEEPER_TOKEN"), m_token);
    m_command.start(plan);
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
    if (isOver(released))
        co_return true;
    if (released.error().code == ErrorCode::ConnectionLost) {
        // It was not sent.
        const Completion<Done> ready = m_client.connections().whenReady(key.name.bytes());
        const Result<Done> again = co_await ready.wait(leaseEnd, m_waiting.get_token());
        if (again) {
            const Result<locks::ReleaseOutcome> second = co_await m_lock.unlock(holderThread);
            if (isOver(second))
                co_return true;
        }
    }
    const Completion<Done> settled = m_client.whenSettled(key);
    const Result<Done> over = co_await settled.wait(leaseEnd, m_waiting.get_token());
    if (over && released.error().code == ErrorCode::OutcomeUnknown)
        co_return true;
    complain(QStringLiteral("the lock '%1' may stay until its lease ends, held by %2: %3")
                 .arg(boundedName(m_arguments.lockName), m_lock.holder(holderThread).display(), failureWords(released.error())));
    co_return false;
}

bool LockCommand::isOver(const Result<locks::ReleaseOutcome>& released) const {
    if (released || released.error().code == ErrorCode::NotHeld)
        return true;
    if (released.error().code != ErrorCode::NotAnnounced)
        return false;
    complain(QStringLiteral("'%1': %2").arg(boundedName(m_arguments.lockName), errorWords(released.error())));
    return true;
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

void LockCommand::onContinued() {
    if (m_command.isRunning())
        m_scope.spawn(resume());
}

Task<void> LockCommand::resume() {
    const Result<bool> isHeld = co_await m_lock.isHeldBy(m_lock.holder(holderThread));
    if (isHeld && !*isHeld)
        onLost(lossWords(locks::LossReason::TakenAway));
    m_command.resume();
}

void LockCommand::onLossDetectionChanged() {
    const bool isLate = m_client.lossDetection() == locks::LossDetection::RenewalOnly;
    if (!isLate || !endsOnLoss() || std::exchange(m_isLateSaid, true))
        return;
    complain(QStringLiteral("the server refuses CLIENT TRACKING: a lock that is taken away is noticed up to %1 s later")
                 .arg(secondsText(m_client.options().watchdogTimeout / 3)));
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
