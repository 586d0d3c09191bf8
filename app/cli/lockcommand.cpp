// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lockcommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "base/safetext.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "ui/words/causetext.h"

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

bool hasQueue(const Arguments& arguments) {
    return arguments.lockKind == Arguments::LockKind::Fair ||
           arguments.lockKind == Arguments::LockKind::NonReentrantFair;
}

QString lossWords(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return CommandLine::tr("its lease ran out");
        case locks::LossReason::TakenAway:
            return CommandLine::tr("the server no longer names this holder");
        case locks::LossReason::Gone:
            return CommandLine::tr(
                "the server does not have it any more; it was deleted or released by force, or it has expired there "
                "before its time");
        case locks::LossReason::TakenOver:
            return CommandLine::tr("another holder has it now");
    }
    return {};
}

// Whether the server has answered with an error; otherwise there is no answer.
bool isRefusal(const Error& error) {
    return error.reply != ReplyKind::None;
}

}  // namespace

LockCommand::LockCommand(Arguments arguments, QObject* parent)
    : ServerCommand(std::move(arguments), QByteArrayLiteral("lockkeeper-lock"), parent),
      m_lock(lockOf(m_client, m_arguments)) {
    QObject::connect(&m_client, &locks::LockClient::lockLost, this,
                     [this](const locks::HoldKey&, locks::LossReason why) { onLost(lossWords(why)); });
    QObject::connect(&m_client, &locks::LockClient::heldChanged, this, &LockCommand::onHeldChanged);
    QObject::connect(&m_command, &GuardedCommand::limitReached, this, &LockCommand::onLimitReached);
    QObject::connect(&m_client, &locks::LockClient::lossDetectionChanged, this, &LockCommand::onLossDetectionChanged);
    QObject::connect(&m_client, &locks::LockClient::acquirePostponed, this,
                     [this](const locks::HoldKey&, const Error& why) { onPostponed(why); });
}

LockCommand::~LockCommand() {
    endTasks();
}

Task<void> LockCommand::work() {
    const bool taken = co_await takeLock();
    if (taken)
        m_exitCode = co_await runCommand();
}

Task<bool> LockCommand::takeLock() {
    const Deadline waitUntil = m_arguments.wait ? Deadline::in(m_clock, *m_arguments.wait) : Deadline::never(m_clock);
    const Result<locks::LockAttempt> taken =
        co_await m_lock.tryLock(holderThread, waitUntil, m_arguments.lease, m_waiting.get_token());
    const bool isCancelled = m_waiting.stop_requested();
    if (taken && taken->acquired() && isCancelled) {
        const GivenBack end = co_await giveBack();
        if (end == GivenBack::No)
            setExitCode(ExitCode::MayBeLeft);
        co_return false;
    }
    if (taken && taken->acquired() && m_client.hold(m_lock.holdKey(holderThread)).deadline <= m_clock.now()) {
        complain(CommandLine::tr("the answer of the server came after the lease of '%1'")
                     .arg(boundedName(m_arguments.lockName)));
        const GivenBack end = co_await giveBack();
        setExitCode(end == GivenBack::No ? ExitCode::MayBeLeft : ExitCode::NotInTime);
        co_return false;
    }
    if (taken && taken->acquired()) {
        if (taken->token)
            m_token = QString::number(static_cast<qint64>(*taken->token));
        co_return true;
    }
    if (taken && !isCancelled) {
        complainOfOthers();
        m_exitCode = codeOf(ExitCode::NotInTime);
    } else if (!taken && taken.error().code != ErrorCode::Cancelled) {
        complain(failureWords(taken.error()));
        const Error& why = taken.error();
        const bool mayWorkLater = why.cause == Cause::TooFewReplicas || why.cause == Cause::LostBeforeReplicas ||
                                  why.reply == ReplyKind::NoReplicas || why.code == ErrorCode::OutcomeUnknown;
        m_exitCode = codeOf(mayWorkLater ? ExitCode::NotInTime : exitCodeOf(taken.error()));
    }
    co_await leaveNothing();
    co_return false;
}

// An acquire whose answer is no longer awaited may still take the lock, for its whole lease.
Task<void> LockCommand::leaveNothing() {
    const Completion<Done> settled = m_client.whenSettled(m_lock.holdKey(holderThread));
    const Result<Done> over = co_await settled.wait(Deadline::in(m_clock, m_arguments.grace), m_scope.stopToken());
    if (over)
        co_return;
    complainOfWhatMayBeLeft(over.error());
    m_exitCode = codeOf(ExitCode::MayBeLeft);
}

void LockCommand::complainOfOthers() const {
    const QString others = hasQueue(m_arguments) ? CommandLine::tr("others hold it, or wait for it and come first")
                                                 : CommandLine::tr("it is held by others");
    complain(CommandLine::tr("'%1' was not acquired in time: %2").arg(boundedName(m_arguments.lockName), others));
}

// The lease that the server has taken up last begins at the latest when it refuses to end it.
void LockCommand::complainOfWhatMayBeLeft(const Error& why) {
    const Milliseconds lease = m_arguments.lease.value_or(m_client.options().watchdogTimeout);
    const QString left =
        CommandLine::tr("'%1' may be held by %2, for up to %3 s")
            .arg(boundedName(m_arguments.lockName), m_lock.holder(holderThread).display(), secondsText(lease));
    const QString refused =
        hasQueue(m_arguments)
            ? CommandLine::tr("the server refuses the release, or to remove a place in the queue: %1 from now on: %2")
            : CommandLine::tr("an answer was lost, and the server refuses the release: %1 from now on: %2");
    complain(
        isRefusal(why)
            ? refused.arg(left, ui::errorClause(why))
            : CommandLine::tr("the server has not answered: %1 after the server has done what was sent").arg(left));
}

Task<int> LockCommand::runCommand() {
    GuardedCommand::Plan plan = ServerCommand::plan();
    if (!m_token.isEmpty())
        plan.environment.insert(QStringLiteral("LOCKKEEPER_TOKEN"), m_token);
    plan.limit = limit();
    m_command.start(plan);
    const Result<int> ended = co_await m_commandEnded.wait(Deadline::never(m_clock));
    const bool wasLost = m_isLost;
    const GivenBack end = co_await giveBack();
    if (end == GivenBack::WasLost && !wasLost)
        complainOfLoss(lossWords(locks::LossReason::TakenAway));
    if (wasLost || end == GivenBack::WasLost)
        co_return codeOf(ExitCode::LostWhileRunning);
    co_return end == GivenBack::Yes ? ended.value() : codeOf(ExitCode::MayBeLeft);
}

// A release that was not executed is tried again as long as the lease lasts, or until a signal comes. One that was
// sent without an answer is repeated by the client, which reads first what the server still keeps.
Task<LockCommand::GivenBack> LockCommand::giveBack() {
    const locks::HoldKey key = m_lock.holdKey(holderThread);
    const Patience patience = patienceUntil(Deadline::in(m_clock, m_client.hold(key).deadline - m_clock.now()));
    Error failure;
    for (;;) {
        const Result<locks::ReleaseOutcome> released = co_await m_lock.unlock(holderThread);
        if (const std::optional<GivenBack> end = endOf(released))
            co_return *end;
        failure = released.error();
        if (!wasNotDone(failure))
            break;
        const bool again = co_await whenReadyAgain(key.name, failure, patience);
        if (!again)
            break;
    }
    const Completion<Done> settled = m_client.whenSettled(key);
    const Result<Done> over = co_await settled.wait(patience.end, patience.stop);
    if (over && failure.code == ErrorCode::OutcomeUnknown)
        co_return GivenBack::Yes;
    if (!over && over.error().code == ErrorCode::NotHeld)
        co_return GivenBack::WasLost;
    if (!over && isRefusal(over.error())) {
        complainOfWhatMayBeLeft(over.error());
        co_return GivenBack::No;
    }
    complain(CommandLine::tr("the lock '%1' may stay until its lease ends, held by %2: %3")
                 .arg(boundedName(m_arguments.lockName), m_lock.holder(holderThread).display(), failureWords(failure)));
    co_return GivenBack::No;
}

std::optional<LockCommand::GivenBack> LockCommand::endOf(const Result<locks::ReleaseOutcome>& released) const {
    if (released)
        return GivenBack::Yes;
    if (released.error().code == ErrorCode::NotHeld)
        return GivenBack::WasLost;
    if (released.error().code != ErrorCode::NotAnnounced)
        return std::nullopt;
    complain(QStringLiteral("'%1': %2").arg(boundedName(m_arguments.lockName), ui::errorClause(released.error())));
    return GivenBack::Yes;
}

GuardedCommand::Limit LockCommand::limit() const {
    const locks::Hold hold = m_client.hold(m_lock.holdKey(holderThread));
    return limitOf(hold.deadline, m_arguments.lease.value_or(m_client.options().watchdogTimeout));
}

// ---- what comes in between ----

Task<Result<Done>> LockCommand::readHold() {
    const Result<bool> isHeld = co_await m_lock.isHeldBy(m_lock.holder(holderThread));
    if (!isHeld)
        co_return isHeld.error();
    if (!*isHeld)
        onLost(lossWords(locks::LossReason::TakenAway));
    co_return Done();
}

SteadyTime LockCommand::heldUntil() const {
    return m_client.hold(m_lock.holdKey(holderThread)).deadline;
}

void LockCommand::onLossDetectionChanged() {
    const bool isLate = m_client.lossDetection() == locks::LossDetection::RenewalOnly;
    if (!isLate || std::exchange(m_isLateSaid, true))
        return;
    // As locks::LossDetection says.
    const Milliseconds renewals = m_client.options().watchdogTimeout / 3;
    const bool isReadOften = m_arguments.lease && m_arguments.lockKind == Arguments::LockKind::Read;
    complain(
        CommandLine::tr(
            "the server refuses CLIENT TRACKING, or to read the lock: a lock that is taken away is noticed up to %1 s later")
            .arg(secondsText(isReadOften ? std::min(renewals, Milliseconds(1000)) : renewals)));
}

// Called with each renewal. After a loss of the lock the last limit stays in force.
void LockCommand::onHeldChanged() {
    if (m_command.isRunning() && m_client.hold(m_lock.holdKey(holderThread)).count > 0)
        m_command.setLimit(limit());
}

void LockCommand::onLimitReached() {
    if (!std::exchange(m_isLost, true))
        complainOfLoss(m_arguments.lease ? CommandLine::tr("its lease is about to end")
                                         : CommandLine::tr("it was not renewed in time"));
}

// Printed once: the pauses grow, but an endless wait has many of them.
void LockCommand::onPostponed(const Error& why) {
    if (std::exchange(m_isPostponementSaid, true))
        return;
    complain(CommandLine::tr("'%1' is not acquired yet, and is tried again: %2")
                 .arg(boundedName(m_arguments.lockName), ui::errorClause(why)));
}

void LockCommand::complainOfLoss(const QString& why) const {
    complain(CommandLine::tr("the lock '%1' is lost: %2").arg(boundedName(m_arguments.lockName), why));
}

}  // namespace lockkeeper::app

#include "moc_lockcommand.cpp"
