// SPDX-License-Identifier: Apache-2.0
#include "app/tools/forcecommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "app/tools/auditcommand.h"
#include "async/pause.h"
#include "base/isotime.h"
#include "base/safetext.h"
#include "locks/synchronizers/synchronizerkeys.h"
#include "monitor/format/eventjson.h"
#include "monitor/monitor.h"
#include "monitor/observe/read/synchronizerdecoder.h"
#include "platform/terminalinput.h"
#include "ui/words/causetext.h"

#include <QFile>
#include <QTextStream>

#include <algorithm>
#include <utility>

namespace lockkeeper::app {

namespace {

using control::BreakOutcome;

using namespace std::chrono_literals;

constexpr int standardInput = 0;
// How long a waiter is watched. It is proven dead by two counts, 10 s or more apart.
constexpr Milliseconds timeForProof = 60s;
constexpr Milliseconds pauseBetweenProofs = 500ms;  // between checks, which send nothing

control::AuditPlace placeOf(const Arguments& arguments) {
    control::AuditPlace place;
    place.server = arguments.profile.display();
    if (arguments.saved) {
        place.profile = arguments.saved->label.name;
        place.environment = profile::wordFor(arguments.saved->label.environment);
    }
    return place;
}

void printLine(const QString& line) {
    QTextStream(stdout) << QString::fromUtf8(textForTerminal(line)) << Qt::endl;
}

void printDead(const control::ForceReleaseRequest& removal) {
    printLine(CommandLine::tr("dead: %1 in the queue of '%2'")
                  .arg(removal.change.waiter->id.display(), boundedName(removal.confirmed.name)));
}

void printState(const monitor::LockSnapshot& lock) {
    printLine(monitor::toTextLine(monitor::foundEvent(lock)));
}

const monitor::Holder* readerOf(const monitor::LockSnapshot& lock, const HolderId& id) {
    const auto isReader = [&id](const monitor::Holder& holder) {
        return holder.id == id && holder.mode == monitor::HoldMode::Read;
    };
    const auto found = std::find_if(lock.holders.begin(), lock.holders.end(), isReader);
    return found == lock.holders.end() ? nullptr : &*found;
}

bool isHeldAs(const monitor::LockSnapshot& lock, const ForceRequest& wanted) {
    if (wanted.kind == control::ChangeKind::ReleaseReader) {
        const monitor::Holder* reader = readerOf(lock, *wanted.holder);
        return reader && (!wanted.count || reader->count == *wanted.count);
    }
    if (lock.kind == monitor::LockKind::FasterMulti) {
        const auto holder = std::ranges::find(lock.holders, *wanted.holder, &monitor::Holder::id);
        return holder != lock.holders.end() && (!wanted.count || holder->count == *wanted.count) && !wanted.token;
    }
    const bool isAlone = std::all_of(lock.holders.begin(), lock.holders.end(),
                                     [&wanted](const monitor::Holder& holder) { return holder.id == *wanted.holder; });
    const bool hasCount = !wanted.count || lock.holders.first().count == *wanted.count;
    return isAlone && hasCount && (!wanted.token || lock.token == wanted.token);
}

}  // namespace

ForceCommand::ForceCommand(Arguments arguments, QObject* parent)
    : ServerCommand(std::move(arguments), QByteArrayLiteral("lockkeeper-force"), parent),
      m_log(auditFolder(), m_clock),
      m_force(m_client.connections(), m_client.options().commandTimeout, &m_log, placeOf(m_arguments)),
      m_input(QSocketNotifier::Read) {
    QObject::connect(&m_input, &QSocketNotifier::activated, this, &ForceCommand::readAnswer);
}

ForceCommand::~ForceCommand() {
    endTasks();
}

bool ForceCommand::canBeConfirmed(const Arguments& arguments) {
    return arguments.force.isConfirmed || platform::isInputTerminal();
}

Task<void> ForceCommand::work() {
    if (m_arguments.force.client) {
        co_await removePlaces();
        co_return;
    }
    if (m_arguments.force.kind == control::ChangeKind::GiveBackPermit)
        co_return co_await giveBackPermit();
    const Result<monitor::LockReading> read = co_await m_force.read(m_arguments.lockName, m_waiting.get_token());
    if (!read) {
        reportUnread(read.error());
        co_return;
    }
    if (!isAsNamed(*read))
        co_return;
    std::optional<monitor::LockSnapshot> lock = std::get<monitor::LockSnapshot>(*read);
    if (m_arguments.force.kind == control::ChangeKind::RemoveWaiter)
        lock = co_await withDeadWaiter();
    if (!lock)
        co_return;
    if (m_arguments.force.isWithDeadWaiters) {
        co_await forceWithDeadWaiters(*lock);
        co_return;
    }
    const bool confirmed = co_await isConfirmed();
    if (confirmed)
        co_await force(*lock);
}

// The end of its lease is what the operator confirms: the script compares it.
Task<void> ForceCommand::giveBackPermit() {
    const LockName semaphore = m_arguments.lockName;
    const QByteArray& id = m_arguments.force.permit;
    const redis::Command score("ZSCORE", {locks::permitLeases(semaphore), id});
    const Completion<redis::RespValue> sent = m_client.connections().send(semaphore.bytes(), score);
    const Result<redis::RespValue> found =
        co_await sent.wait(Deadline::in(m_clock, m_client.options().commandTimeout), m_waiting.get_token());
    if (!found) {
        reportUnread(found.error());
        co_return;
    }
    const QString hex = QString::fromLatin1(id.toHex());
    if (found->isNull()) {
        complain(CommandLine::tr("nobody has the permit %1 of '%2'; nothing was changed").arg(hex, name()));
        setExitCode(ExitCode::AlreadyFree);
        co_return;
    }
    const std::optional<WallTime> ends = monitor::leaseEndIn(*found);
    if (!ends || *ends > m_clock.wallNow()) {
        complain(
            CommandLine::tr("the lease of the permit %1 of '%2' is not over; nothing was changed").arg(hex, name()));
        setExitCode(ExitCode::Refused);
        co_return;
    }
    printLine(CommandLine::tr("permit %1 of '%2': its lease ended at %3").arg(hex, name(), isoTime(*ends)));
    const bool confirmed = co_await isConfirmed();
    if (!confirmed)
        co_return;
    control::ForceReleaseRequest request;
    request.confirmed.name = semaphore;
    m_changed = semaphore;
    m_change.kind = control::ChangeKind::GiveBackPermit;
    m_change.permit = monitor::PermitLease{id, ends};
    request.change = m_change;
    request.reason = m_arguments.force.reason;
    const control::ForceReport done = co_await m_force.run(request, m_scope.stopToken());
    report(done);
}

bool ForceCommand::isAsNamed(const monitor::LockReading& reading) {
    const auto* lock = std::get_if<monitor::LockSnapshot>(&reading);
    if (!lock) {
        complain(CommandLine::tr("'%1' is no lock, or may not be read").arg(name()));
        setExitCode(ExitCode::OtherHolder);
        return false;
    }
    switch (m_arguments.force.kind) {
        case control::ChangeKind::WakeWaiters:
            return isFreeAsNamed(*lock);
        case control::ChangeKind::RemoveWaiter:
            return isQueuedAsNamed(*lock);
        default:
            return isHeldAsNamed(*lock);
    }
}

bool ForceCommand::isFreeAsNamed(const monitor::LockSnapshot& lock) {
    if (!lock.isHeld())
        return true;
    printState(lock);
    complain(CommandLine::tr("'%1' is held: its release will wake the waiters; nothing was sent").arg(name()));
    setExitCode(ExitCode::OtherHolder);
    return false;
}

bool ForceCommand::isQueuedAsNamed(const monitor::LockSnapshot& lock) {
    if (waiterNamedIn(lock.fairQueue))
        return true;
    complain(CommandLine::tr("%1 is not in the queue of '%2'").arg(m_arguments.force.holder->display(), name()));
    setExitCode(ExitCode::AlreadyFree);
    return false;
}

std::optional<monitor::FairWaiter> ForceCommand::waiterNamedIn(const QList<monitor::FairWaiter>& waiters) const {
    const auto found = std::ranges::find(waiters, *m_arguments.force.holder, &monitor::FairWaiter::id);
    return found == waiters.end() ? std::nullopt : std::optional(*found);
}

Task<bool> ForceCommand::watchUntil(std::function<bool()> isProven, monitor::DiscoveryState discovery,
                                    Milliseconds longest) {
    redis::ConnectionOptions reading = m_arguments.profile.connectionOptions();
    reading.access = redis::AccessMode::ReadOnly;
    m_watching = std::make_unique<monitor::Monitor>(reading, m_route.shards(), m_clock);
    m_force.requireProof(
        [this](const LockName& lock, const HolderId& waiter) { return m_watching->provesDead(lock, waiter); });
    monitor::Monitor& watching = *m_watching;
    QObject::connect(&watching, &monitor::Monitor::batchReady, this,
                     [this](const monitor::SharedBatch& batch) { noteRows(*batch); });
    watching.askReplicasBy(m_route.replicas());
    watching.setDiscovery(discovery);
    watching.start();
    const Deadline end = Deadline::in(m_clock, longest);
    while (!end.hasPassed() && watching.status().phase != monitor::MonitorPhase::Failed) {
        if (isProven())
            co_return true;
        if (!m_arguments.force.client && !watching.row(m_arguments.lockName))
            watching.readAgain(m_arguments.lockName);
        const Deadline next = end.earlier(Deadline::in(m_clock, pauseBetweenProofs));
        const bool goesOn = co_await pauseUntil(next, m_waiting.get_token());
        if (!goesOn)
            co_return false;  // a signal has set the exit code
    }
    if (!watching.status().error)
        co_return true;
    reportUnread(*watching.status().error);
    co_return false;
}

Task<std::optional<monitor::LockSnapshot>> ForceCommand::withDeadWaiter() {
    const Milliseconds longest = m_arguments.wait.value_or(timeForProof);
    complain(CommandLine::tr("watching '%1' for up to %2 s, to see whether the waiter is dead")
                 .arg(name(), secondsText(longest)));
    const HolderId waiter = *m_arguments.force.holder;
    const std::function<bool()> isDead = [this, waiter] {
        return m_watching->provesDead(m_arguments.lockName, waiter);
    };
    const bool isWatched = co_await watchUntil(isDead, monitor::DiscoveryState::Paused, longest);
    if (!isWatched)
        co_return std::nullopt;
    if (isDead())
        co_return m_watching->row(m_arguments.lockName)->lock;
    complain(CommandLine::tr("%1 is not proven dead; nothing was changed").arg(waiter.display()));
    setExitCode(ExitCode::Refused);
    co_return std::nullopt;
}

// ---- several changes with one confirmation ----

void ForceCommand::noteRows(const monitor::MonitorBatch& batch) {
    if (batch.reset) {
        m_rows.clear();
        m_sweeps = 0;
    }
    for (const monitor::SharedRow& row : batch.changed)
        m_rows.insert_or_assign(row->lock.name.bytes(), row);
    for (const LockName& removed : batch.removed)
        m_rows.erase(removed.bytes());
    m_sweeps += std::ranges::count(batch.events, monitor::EventType::Swept, &monitor::LockEvent::type);
}

std::vector<control::ForceReleaseRequest> ForceCommand::removalsOf(const monitor::LockRow& row) const {
    std::vector<control::ForceReleaseRequest> removals;
    for (const monitor::FairWaiter& waiter : row.deadWaiters()) {
        if (m_arguments.force.client && waiter.id.client() != *m_arguments.force.client)
            continue;
        control::ForceReleaseRequest removal;
        removal.confirmed = row.lock;
        removal.reason = m_arguments.force.reason;
        removal.change.kind = control::ChangeKind::RemoveWaiter;
        removal.change.waiter = waiter;
        removals.push_back(removal);
    }
    return removals;
}

// A free lock is only found when its waiters are counted, after the sweep.
bool ForceCommand::areAllPlacesDead() const {
    qsizetype places = 0;
    qsizetype dead = 0;
    for (const auto& [lock, row] : m_rows) {
        places += std::ranges::count_if(row->lock.fairQueue, [this](const monitor::FairWaiter& waiter) {
            return waiter.id.client() == *m_arguments.force.client;
        });
        dead += static_cast<qsizetype>(removalsOf(*row).size());
    }
    return m_sweeps >= monitor::sweepsForAll && places > 0 && dead == places;
}

Task<void> ForceCommand::removePlaces() {
    const Milliseconds longest = m_arguments.wait.value_or(timeForProof);
    complain(CommandLine::tr("watching for up to %1 s, to see which places of %2 are those of dead waiters")
                 .arg(secondsText(longest), name()));
    const std::function<bool()> areDead = [this] { return areAllPlacesDead(); };
    const bool isWatched = co_await watchUntil(areDead, monitor::DiscoveryState::Running, longest);
    if (!isWatched)
        co_return;
    std::vector<control::ForceReleaseRequest> removals;
    for (const auto& [lock, row] : m_rows) {
        for (const control::ForceReleaseRequest& removal : removalsOf(*row)) {
            removals.push_back(removal);
            printDead(removal);
        }
    }
    if (removals.empty()) {
        complain(
            CommandLine::tr("no place of %1 is that of a waiter that is proven dead; nothing was changed").arg(name()));
        setExitCode(ExitCode::Refused);
        co_return;
    }
    const bool confirmed = co_await isConfirmed();
    if (confirmed)
        co_await runEach(std::move(removals));
}

// The exit code is that of the first one that was not done.
Task<void> ForceCommand::runEach(std::vector<control::ForceReleaseRequest> requests) {
    std::optional<int> failure;
    for (const control::ForceReleaseRequest& request : requests) {
        m_change = request.change;
        m_changed = request.confirmed.name;
        const control::ForceReport done = co_await m_force.run(request, m_scope.stopToken());
        report(done);
        if (m_exitCode != static_cast<int>(ExitCode::Done) && !failure)
            failure = m_exitCode;
    }
    if (failure)
        m_exitCode = failure;
}

// The dead waiters first, so that the message of the release goes to one that lives.
Task<void> ForceCommand::forceWithDeadWaiters(monitor::LockSnapshot lock) {
    const bool hasQueue = !lock.fairQueue.isEmpty();
    const Milliseconds longest = m_arguments.wait.value_or(timeForProof);
    if (hasQueue)
        complain(CommandLine::tr("watching '%1' for up to %2 s, to see which waiters are dead")
                     .arg(name(), secondsText(longest)));
    const std::function<bool()> isAnyDead = [this] {
        const std::optional<monitor::LockRow> row = m_watching->row(m_arguments.lockName);
        return row && !row->deadWaiters().isEmpty();
    };
    std::vector<control::ForceReleaseRequest> removals;
    bool isWatched = true;
    if (hasQueue)
        isWatched = co_await watchUntil(isAnyDead, monitor::DiscoveryState::Paused, longest);
    if (!isWatched)
        co_return;
    if (!hasQueue)
        complain(CommandLine::tr("nobody is in the queue of '%1'").arg(name()));
    else if (const std::optional<monitor::LockRow> row = m_watching->row(m_arguments.lockName))
        removals = removalsOf(*row);
    std::ranges::for_each(removals, printDead);
    if (hasQueue && removals.empty())
        complain(CommandLine::tr("no waiter of '%1' is proven dead").arg(name()));
    const bool confirmed = co_await isConfirmed();
    if (!confirmed)
        co_return;
    co_await runEach(std::move(removals));
    const std::optional<int> removed = m_exitCode;
    co_await force(std::move(lock));
    // The lock is free, but a dead head may still be before those who live.
    if (m_exitCode == codeOf(ExitCode::Done) && removed && *removed != codeOf(ExitCode::AlreadyFree))
        m_exitCode = removed;
}

bool ForceCommand::isHeldAsNamed(const monitor::LockSnapshot& lock) {
    if (!lock.isHeld()) {
        complain(CommandLine::tr("'%1' is free already").arg(name()));
        setExitCode(ExitCode::AlreadyFree);
        return false;
    }
    printState(lock);
    const bool hasTtl = m_arguments.force.kind == control::ChangeKind::SetExpiry && !lock.neverExpires();
    if (isHeldAs(lock, m_arguments.force) && !hasTtl)
        return true;
    if (hasTtl)
        complain(CommandLine::tr("'%1' has an expiry; nothing was changed").arg(name()));
    else
        complain(
            CommandLine::tr("'%1' is not held as given, or not by that holder alone; nothing was changed").arg(name()));
    setExitCode(ExitCode::OtherHolder);
    return false;
}

// ---- the question at the terminal ----

Task<bool> ForceCommand::isConfirmed() {
    if (m_arguments.force.isConfirmed)
        co_return true;
    if (m_arguments.force.kind == control::ChangeKind::RemoveWaiter)
        QTextStream(stderr) << CommandLine::tr("If this waiter lives after all, it loses its place in the queue.")
                            << '\n';
    else if (m_arguments.force.kind == control::ChangeKind::GiveBackPermit)
        QTextStream(stderr) << CommandLine::tr("This does not stop a worker that still runs with the permit.") << '\n';
    else if (m_arguments.force.kind != control::ChangeKind::WakeWaiters)
        QTextStream(stderr)
            << CommandLine::tr(
                   "This does not stop the holder: two workers may run at once, and its own unlock will fail.")
            << '\n';
    const QString where = QString::fromUtf8(textForTerminal(m_arguments.profile.display()));
    QTextStream(stderr)
        << (m_arguments.force.client
                ? CommandLine::tr("Type the UUID of the client to remove these places at %1: ").arg(where)
            : m_arguments.force.kind == control::ChangeKind::GiveBackPermit
                ? CommandLine::tr("Type the name of the semaphore to change it at %1: ").arg(where)
                : CommandLine::tr("Type the name of the lock to change it at %1: ").arg(where))
        << Qt::flush;
    m_input.setSocket(standardInput);
    m_input.setEnabled(true);
    const Result<QByteArray> typed = co_await m_answer.wait(Deadline::never(m_clock), m_waiting.get_token());
    m_input.setEnabled(false);
    if (!typed)
        co_return false;  // a signal has set the exit code
    const LockName& lock = m_arguments.lockName;
    const LockName inProgram = m_arguments.profile.locks.names.inProgram(lock);
    const bool isOfProgram = !m_arguments.force.client && !inProgram.isEmpty() && *typed == inProgram.bytes();
    if (isOfProgram || *typed == lock.bytes() || *typed == lock.display().toLocal8Bit())
        co_return true;
    complain(CommandLine::tr("that is not '%1'; nothing was changed").arg(name()));
    setExitCode(ExitCode::Refused);
    co_return false;
}

// A terminal can be read as soon as it has a whole line, or its end.
void ForceCommand::readAnswer() {
    constexpr qint64 longest = 1 << 16;
    QFile input;
    QByteArray line;
    if (input.open(standardInput, QIODevice::ReadOnly | QIODevice::Unbuffered))
        line = input.readLine(longest);
    if (line.endsWith('\n'))
        line.chop(1);
    m_answer.complete(line);
}

// ---- the force, and what became of it ----

Task<void> ForceCommand::force(monitor::LockSnapshot confirmed) {
    control::ForceReleaseRequest request;
    m_change = changeOf(confirmed);
    m_changed = m_arguments.lockName;
    request.change = m_change;
    request.confirmed = std::move(confirmed);
    request.reason = m_arguments.force.reason;
    const control::ForceReport done = co_await m_force.run(request, m_scope.stopToken());
    report(done);
}

// The values of a faster multi lock have holders of their own.
control::ChangeKind ForceCommand::kindFor(const monitor::LockSnapshot& lock) const {
    const bool isOfValues =
        lock.kind == monitor::LockKind::FasterMulti && m_arguments.force.kind == control::ChangeKind::ReleaseLock;
    return isOfValues ? control::ChangeKind::ReleaseHolder : m_arguments.force.kind;
}

control::LockChange ForceCommand::changeOf(const monitor::LockSnapshot& lock) const {
    control::LockChange change;
    change.kind = kindFor(lock);
    if (change.kind == control::ChangeKind::ReleaseHolder)
        change.holder = m_arguments.force.holder;
    change.time = m_arguments.force.ttl;
    if (change.kind == control::ChangeKind::ReleaseReader)
        change.reader = *readerOf(lock, *m_arguments.force.holder);
    if (change.kind == control::ChangeKind::RemoveWaiter)
        change.waiter = waiterNamedIn(lock.fairQueue);
    return change;
}

QString ForceCommand::doneText() const {
    switch (m_change.kind) {
        case control::ChangeKind::WakeWaiters:
            return CommandLine::tr("the waiters of '%1' were woken").arg(name());
        case control::ChangeKind::SetExpiry:
            return CommandLine::tr("'%1' expires in %2 ms, unless it is renewed; its waiters were woken")
                .arg(name())
                .arg(m_arguments.force.ttl.count());
        case control::ChangeKind::ReleaseReader:
            return CommandLine::tr("one reader of '%1' was released by force").arg(name());
        case control::ChangeKind::ReleaseHolder:
            return CommandLine::tr("one holder of '%1' was released by force").arg(name());
        case control::ChangeKind::RemoveWaiter:
            return CommandLine::tr("the waiter %1 was removed from the queue of '%2'")
                .arg(m_change.waiter->id.display(), changedName());
        case control::ChangeKind::GiveBackPermit:
            return CommandLine::tr("a permit of '%1' was returned").arg(name());
        case control::ChangeKind::ReleaseLock:
        case control::ChangeKind::Quarantine:
        case control::ChangeKind::QuarantineHolder:
            break;
    }
    return CommandLine::tr("'%1' was released by force").arg(name());
}

QString ForceCommand::alreadyText() const {
    switch (m_change.kind) {
        case control::ChangeKind::RemoveWaiter:
            return CommandLine::tr("the waiter is not in the queue of '%1' any more").arg(changedName());
        case control::ChangeKind::GiveBackPermit:
            return CommandLine::tr("nobody has that permit of '%1' any more").arg(name());
        default:
            return CommandLine::tr("'%1' is free already").arg(changedName());
    }
}

void ForceCommand::report(const control::ForceReport& report) {
    if (report.notRecorded)
        complain(CommandLine::tr("the outcome is not in the audit: %1").arg(ui::errorClause(*report.notRecorded)));
    if (report.found)
        return reportUnknown(report, report.outcome.error());
    if (!report.outcome)
        return reportFailure(report.outcome.error());
    switch (*report.outcome) {
        case BreakOutcome::Broken:
            printLine(doneText());
            return setExitCode(ExitCode::Done);
        case BreakOutcome::AlreadyFree:
            complain(alreadyText());
            return setExitCode(ExitCode::AlreadyFree);
        case BreakOutcome::Changed:
            if (report.after)
                printState(*report.after);
            complain(CommandLine::tr("'%1' has changed meanwhile; nothing was changed").arg(changedName()));
            return setExitCode(ExitCode::OtherHolder);
    }
}

// Reports what the lock was found to be: it was read again after the answer was lost.
void ForceCommand::reportUnknown(const control::ForceReport& report, const Error& error) {
    if (report.after)
        printState(*report.after);
    if (report.found == control::Found::Done) {
        complain(CommandLine::tr("the answer was lost, but the lock shows that it was done: %1")
                     .arg(ui::errorClause(error)));
        printLine(doneText());
        return setExitCode(ExitCode::Done);
    }
    const QString what = report.found == control::Found::NotDone ? CommandLine::tr("nothing was done so far")
                                                                 : CommandLine::tr("it is not known what was done");
    complain(CommandLine::tr("the answer about '%1' was lost, and %2; read it again before anything else: %3")
                 .arg(changedName(), what, ui::errorClause(error)));
    setExitCode(ExitCode::OutcomeUnknown);
}

void ForceCommand::reportFailure(const Error& error) {
    switch (error.code) {
        case ErrorCode::Cancelled:
            return;  // a signal has set the exit code
        case ErrorCode::NotAnnounced:
            complain(QStringLiteral("'%1': %2").arg(changedName(), ui::errorClause(error)));
            return setExitCode(ExitCode::Done);
        case ErrorCode::Storage:
            complain(CommandLine::tr("nothing was sent, because the audit cannot be written: %1")
                         .arg(ui::errorClause(error)));
            return setExitCode(ExitCode::AuditNotPossible);
        case ErrorCode::InvalidArgument:
            complain(CommandLine::tr("'%1' was not changed: %2").arg(changedName(), ui::errorClause(error)));
            return setExitCode(ExitCode::Refused);
        default:
            complain(CommandLine::tr("'%1' was not changed: %2").arg(changedName(), ui::errorClause(error)));
            return setExitCode(exitCodeOf(error));
    }
}

// For a failed read before the change: nothing was sent that changes anything.
void ForceCommand::reportUnread(const Error& error) {
    if (error.code == ErrorCode::Cancelled)
        return;  // a signal has set the exit code
    complain(CommandLine::tr("'%1' was not changed: %2").arg(name(), ui::errorClause(error)));
    setExitCode(exitCodeOf(error));
}

QString ForceCommand::name() const {
    return boundedName(m_arguments.lockName);
}

QString ForceCommand::changedName() const {
    return boundedName(m_changed);
}

}  // namespace lockkeeper::app

#include "moc_forcecommand.cpp"
