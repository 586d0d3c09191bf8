// SPDX-License-Identifier: Apache-2.0
#include "app/cli/synchronizercommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "async/pause.h"
#include "base/safetext.h"
#include "ui/words/causetext.h"

#include <QTextStream>

namespace lockkeeper::app {

namespace {

using Action = SynchronizerRequest::Action;

QString goneWords() {
    return CommandLine::tr("its lease ran out, or it was taken away");
}

// For actions whose exit code says whether they have changed something.
Task<Result<bool>> isDone(Task<Result<Done>> task) {
    const Result<Done> answer = co_await task;
    if (!answer)
        co_return answer.error();
    co_return true;
}

}  // namespace

SynchronizerCommand::SynchronizerCommand(Arguments arguments, QObject* parent)
    : ServerCommand(std::move(arguments), QByteArrayLiteral("lockkeeper-semaphore"), parent),
      m_semaphore(m_client.semaphore(m_arguments.lockName)),
      m_permits(m_client.permitSemaphore(m_arguments.lockName)),
      m_latch(m_client.countDownLatch(m_arguments.lockName)) {
    QObject::connect(&m_command, &platform::GuardedCommand::limitReached, this, &SynchronizerCommand::onLimitReached);
}

SynchronizerCommand::~SynchronizerCommand() {
    m_clock.cancel(m_leaseTimer);
    m_keeping.request_stop();
    endTasks();
}

Task<void> SynchronizerCommand::work() {
    const Result<bool> done = co_await act();
    const bool isCancelled = m_waiting.stop_requested();  // the exit code is set
    const bool takes = request().runsCommand() || request().action == Action::Acquire;
    if (!done && done.error().code == ErrorCode::NotAnnounced) {
        complainOfSilence(done.error());
        setExitCode(ExitCode::Done);
    } else if (done && *done && request().runsCommand() && !isCancelled) {
        co_await runHolding();
    } else if (done && *done && takes && isCancelled) {
        const bool isGivenBack = co_await giveBack();
        if (!isGivenBack)
            setExitCode(ExitCode::MayBeLeft);
    } else if (done && *done && isCancelled && m_exitCode != codeOf(ExitCode::OutputFailed)) {
        setExitCode(ExitCode::Done);  // the signal came when the change was made
    } else if (done && !*done && !isCancelled) {
        const bool waits = takes || request().action == Action::Wait;
        complain(unchangedWords());
        setExitCode(waits ? ExitCode::NotInTime : ExitCode::Unchanged);
    } else if (!done && takes && request().isExpirable() && done.error().code == ErrorCode::OutcomeUnknown) {
        complain(wordsOf(done.error()));
        setExitCode(ExitCode::NotInTime);  // stays so if leaveNothing() releases what may have been taken
    } else if (!done && done.error().code != ErrorCode::Cancelled) {
        complainOf(done.error());
    }
    if (takes && !done)
        co_await leaveNothing();
}

Task<Result<bool>> SynchronizerCommand::act() {
    const qint64 number = request().number;
    switch (request().action) {
        case Action::Run:
        case Action::Acquire:
            return request().isExpirable() ? acquireExpirable() : acquire();
        case Action::Permits:
            return print(request().isExpirable() ? m_permits.availablePermits() : m_semaphore.availablePermits());
        case Action::Set:
            return request().of == SynchronizerRequest::Of::Latch ? m_latch.trySetCount(number)
                                                                  : m_semaphore.trySetPermits(number);
        case Action::Add:
            return isDone(m_semaphore.addPermits(number));
        case Action::Remove:
            return isDone(m_semaphore.addPermits(-number));
        case Action::Release:
            return request().isExpirable() ? m_permits.release(request().permit)
                                           : isDone(m_semaphore.release(static_cast<quint32>(number)));
        case Action::Drain:
            return print(m_semaphore.drain());
        case Action::Wait:
            return m_latch.await(waitUntil(), m_waiting.get_token());
        case Action::CountDown:
            return print(m_latch.countDown());
        case Action::Count:
            return print(m_latch.count());
        case Action::Delete:
            return remove();
    }
    return endedTask<Result<bool>>(false);
}

Task<Result<bool>> SynchronizerCommand::remove() {
    if (request().of == SynchronizerRequest::Of::Latch)
        return m_latch.remove();
    return request().isExpirable() ? m_permits.remove() : m_semaphore.remove();
}

Task<Result<bool>> SynchronizerCommand::print(Task<Result<qint64>> task) {
    const Result<qint64> number = co_await task;
    if (!number)
        co_return number.error();
    QTextStream out(stdout);
    out << *number << '\n';
    out.flush();
    if (out.status() != QTextStream::Ok) {
        complain(CommandLine::tr("'%1': the answer is %2, but the output cannot be written")
                     .arg(boundedName(m_arguments.lockName))
                     .arg(*number));
        setExitCode(ExitCode::OutputFailed);
    }
    co_return true;
}

Task<Result<bool>> SynchronizerCommand::acquire() {
    return m_semaphore.tryAcquire(static_cast<quint32>(request().number), waitUntil(), m_waiting.get_token());
}

// An id that cannot be printed would be of no use to anybody.
Task<Result<bool>> SynchronizerCommand::acquireExpirable() {
    const std::optional<Milliseconds> wanted = request().runsCommand() ? std::optional(lease()) : m_arguments.lease;
    const Result<std::optional<locks::PermitId>> taken =
        co_await m_permits.tryAcquire(waitUntil(), wanted, m_waiting.get_token());
    if (!taken)
        co_return taken.error();
    if (!taken->has_value())
        co_return false;
    m_permit = **taken;
    if (request().action != Action::Acquire || m_waiting.stop_requested())
        co_return true;
    QTextStream out(stdout);
    out << m_permit.hex() << '\n';
    out.flush();
    if (out.status() != QTextStream::Ok) {
        complain(CommandLine::tr("the output cannot be written, so the permit is released"));
        const bool isReleased = co_await giveBack();
        setExitCode(isReleased ? ExitCode::OutputFailed : ExitCode::MayBeLeft);
    }
    co_return true;
}

// ---- while a command runs ----

Task<void> SynchronizerCommand::runHolding() {
    platform::GuardedCommand::Plan plan = ServerCommand::plan();
    if (request().isExpirable()) {
        // The guard must know the end of the lease before the command starts.
        const Result<bool> kept = co_await prolong();
        const bool isCancelled = m_waiting.stop_requested();
        if (!kept || !*kept || isCancelled) {
            co_await endWithoutCommand(kept);
            co_return;
        }
        plan.limit = limitOf(m_leaseEnd, lease());
    }
    m_command.start(plan);
    if (request().isExpirable() && !m_arguments.lease)
        m_scope.spawn(keepPermit());
    const Result<int> ended = co_await m_commandEnded.wait(Deadline::never(m_clock));
    m_keeping.request_stop();
    m_clock.cancel(std::exchange(m_leaseTimer, Clock::TimerId::None));
    const bool wasLost = m_isLost;
    const bool isGivenBack = co_await giveBack();
    m_exitCode = ended.value();
    if (!isGivenBack)
        setExitCode(ExitCode::MayBeLeft);
    if (wasLost || m_isLost)
        setExitCode(ExitCode::LostWhileRunning);
}

Task<void> SynchronizerCommand::endWithoutCommand(Result<bool> kept) {
    const bool isCancelled = m_waiting.stop_requested();  // the exit code is set
    if (!kept && !isCancelled) {
        complain(wordsOf(kept.error()));
        setExitCode(exitCodeOf(kept.error()));
    } else if (!isCancelled) {
        complainOfLoss(goneWords());
        setExitCode(ExitCode::NotInTime);
    }
    const bool isGivenBack = co_await giveBack();
    if (!isGivenBack)
        setExitCode(ExitCode::MayBeLeft);
}

Task<Result<bool>> SynchronizerCommand::prolong() {
    const SteadyTime sent = m_clock.now();
    const Result<bool> kept = co_await m_permits.updateLease(m_permit, lease());
    if (kept && *kept)
        expectEnd(sent + lease());
    co_return kept;
}

Task<void> SynchronizerCommand::keepPermit() {
    const std::stop_token stop = m_keeping.get_token();
    for (;;) {
        const bool goesOn = co_await pauseUntil(Deadline::in(m_clock, lease() / 3), stop);
        if (!goesOn)
            co_return;
        const Result<bool> kept = co_await prolong();
        if (stop.stop_requested())
            co_return;
        if (kept && !*kept) {
            onLost(goneWords());
            co_return;
        }
    }
}

// A fixed lease is not prolonged, so its end is known.
Task<Result<Done>> SynchronizerCommand::readHold() {
    const bool isRenewed = request().isExpirable() && !m_arguments.lease;
    if (!isRenewed)
        co_return Done();
    const Result<bool> kept = co_await prolong();
    if (!kept)
        co_return kept.error();
    if (!*kept)
        onLost(goneWords());
    co_return Done();
}

void SynchronizerCommand::expectEnd(SteadyTime leaseEnd) {
    m_leaseEnd = leaseEnd;
    m_command.setLimit(limitOf(leaseEnd, lease()));
    m_clock.cancel(m_leaseTimer);
    m_leaseTimer = m_clock.schedule(leaseEnd, [this] {
        m_leaseTimer = Clock::TimerId::None;
        onLost(CommandLine::tr("its lease ran out"));
    });
}

void SynchronizerCommand::onLimitReached() {
    if (!std::exchange(m_isLost, true))
        complainOfLoss(CommandLine::tr("its lease is about to end"));
}

void SynchronizerCommand::complainOfLoss(const QString& why) const {
    complain(CommandLine::tr("a permit of '%1' is lost: %2").arg(boundedName(m_arguments.lockName), why));
}

// ---- release ----

Task<bool> SynchronizerCommand::giveBack() {
    return request().isExpirable() ? giveBackExpirable() : giveBackPlain();
}

// A release that was not executed is tried again until a signal comes: nothing else would ever release these permits.
Task<bool> SynchronizerCommand::giveBackPlain() {
    const Patience patience = patienceUntil(Deadline::never(m_clock));
    for (;;) {
        const Result<Done> released = co_await m_semaphore.release(static_cast<quint32>(request().number));
        if (released)
            co_return true;
        const Error failure = released.error();
        if (failure.code == ErrorCode::NotAnnounced) {
            complainOfSilence(failure);
            co_return true;
        }
        bool again = wasNotDone(failure);
        if (again)
            again = co_await whenReadyAgain(m_semaphore.name(), failure, patience);
        if (!again) {
            complainOfWhatMayBeLeft(failureWords(failure));
            co_return false;
        }
    }
}

// A release by id may be repeated. If it fails, the lease ends anyway.
Task<bool> SynchronizerCommand::giveBackExpirable() {
    const Patience patience = patienceUntil(Deadline::in(m_clock, lease()));
    bool mayBeDone = false;
    for (;;) {
        const Result<bool> released = co_await m_permits.release(m_permit);
        if (released) {
            const bool wasGone = !*released && !mayBeDone && request().runsCommand();
            if (wasGone && !std::exchange(m_isLost, true))
                complainOfLoss(goneWords());
            co_return true;
        }
        const Error failure = released.error();
        if (failure.code == ErrorCode::NotAnnounced) {
            complainOfSilence(failure);
            co_return true;
        }
        mayBeDone = mayBeDone || failure.code == ErrorCode::OutcomeUnknown;
        bool again = wasNotDone(failure) || failure.code == ErrorCode::OutcomeUnknown;
        if (again)
            again = co_await whenReadyAgain(m_semaphore.name(), failure, patience);
        if (!again) {
            complainOfWhatMayBeLeft(failureWords(failure));
            co_return false;
        }
    }
}

// An attempt whose answer is no longer awaited may still take permits.
Task<void> SynchronizerCommand::leaveNothing() {
    const Completion<Done> settled = m_semaphore.whenSettled();
    const Result<Done> over = co_await settled.wait(Deadline::in(m_clock, m_arguments.grace), m_scope.stopToken());
    if (over || m_exitCode == codeOf(ExitCode::MayBeLeft))
        co_return;  // or it is reported already
    const bool isRefused = over.error().reply != ReplyKind::None;
    complainOfWhatMayBeLeft(isRefused ? ui::errorClause(over.error()) : CommandLine::tr("the server has not answered"));
    setExitCode(ExitCode::MayBeLeft);
}

// ---- words ----

Milliseconds SynchronizerCommand::lease() const {
    return m_arguments.lease.value_or(m_arguments.watchdog);
}

Deadline SynchronizerCommand::waitUntil() {
    return m_arguments.wait ? Deadline::in(m_clock, *m_arguments.wait) : Deadline::never(m_clock);
}

QString SynchronizerCommand::permitsWords() const {
    return request().number == 1 ? CommandLine::tr("a permit") : CommandLine::tr("%1 permits").arg(request().number);
}

// Why the answer is no.
QString SynchronizerCommand::unchangedWords() const {
    const bool isLatch = request().of == SynchronizerRequest::Of::Latch;
    const QString name = boundedName(m_arguments.lockName);
    switch (request().action) {
        case Action::Set:
            return isLatch ? CommandLine::tr("the count of '%1' is set already").arg(name)
                           : CommandLine::tr("the permits of '%1' are set already").arg(name);
        case Action::Delete:
            return isLatch ? CommandLine::tr("the latch '%1' is open already").arg(name)
                           : CommandLine::tr("there is no semaphore '%1'").arg(name);
        case Action::Release:
            return CommandLine::tr("'%1' has no such permit: it was released, or its lease has ended").arg(name);
        case Action::Wait:
            return CommandLine::tr("the count of '%1' did not reach 0 in time").arg(name);
        default:
            return CommandLine::tr("'%1' did not have %2 free in time").arg(name, permitsWords());
    }
}

void SynchronizerCommand::complainOf(const Error& error) {
    const bool isUnknown = error.code == ErrorCode::OutcomeUnknown;
    const bool mayLeave =
        request().runsCommand() || request().action == Action::Acquire || request().action == Action::Release;
    if (isUnknown && mayLeave)
        complainOfWhatMayBeLeft(failureWords(error));
    else if (isUnknown)
        complain(CommandLine::tr("it is not known whether '%1' was changed: %2")
                     .arg(boundedName(m_arguments.lockName), failureWords(error)));
    else
        complain(wordsOf(error));
    setExitCode(isUnknown ? ExitCode::MayBeLeft : exitCodeOf(error));
}

void SynchronizerCommand::complainOfSilence(const Error& error) {
    complain(CommandLine::tr("'%1' was changed, but its waiters were not woken: %2")
                 .arg(boundedName(m_arguments.lockName), failureWords(error)));
}

QString SynchronizerCommand::wordsOf(const Error& error) const {
    return QStringLiteral("'%1': %2").arg(boundedName(m_arguments.lockName), failureWords(error));
}

void SynchronizerCommand::complainOfWhatMayBeLeft(const QString& why) {
    const QString name = boundedName(m_arguments.lockName);
    const QString until = m_arguments.lease || (request().isExpirable() && request().runsCommand())
                              ? CommandLine::tr("until its lease of %1 s ends").arg(secondsText(lease()))
                              : CommandLine::tr("until somebody releases as many");
    complain(CommandLine::tr("%1 of '%2' may stay taken %3: %4").arg(permitsWords(), name, until, why));
}

}  // namespace lockkeeper::app

#include "moc_synchronizercommand.cpp"
