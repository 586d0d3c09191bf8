// SPDX-License-Identifier: Apache-2.0
#include "app/forcecommand.h"

#include "app/auditcommand.h"
#include "app/errorwords.h"
#include "app/terminal.h"
#include "base/safetext.h"
#include "monitor/format/eventjson.h"
#include "platform/terminalinput.h"

#include <QFile>
#include <QTextStream>

#include <algorithm>

namespace lockkeeper::app {

namespace {

using control::BreakOutcome;

constexpr int standardInput = 0;

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

void printState(const monitor::LockSnapshot& lock) {
    printLine(monitor::toTextLine(monitor::foundEvent(lock)));
}

bool isHeldAs(const monitor::LockSnapshot& lock, const ForceRequest& wanted) {
    const bool isAlone = std::all_of(lock.holders.begin(), lock.holders.end(),
                                     [&wanted](const monitor::Holder& holder) { return holder.id == wanted.holder; });
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
    const Result<monitor::LockReading> read = co_await m_force.read(m_arguments.lockName, m_waiting.get_token());
    if (!read) {
        reportUnread(read.error());
        co_return;
    }
    if (!isAsNamed(*read))
        co_return;
    const bool confirmed = co_await isConfirmed();
    if (confirmed)
        co_await force(std::get<monitor::LockSnapshot>(*read));
}

bool ForceCommand::isAsNamed(const monitor::LockReading& reading) {
    const auto* lock = std::get_if<monitor::LockSnapshot>(&reading);
    if (!lock) {
        complain(QStringLiteral("'%1' is no lock, or may not be read").arg(name()));
        setExitCode(ExitCode::OtherHolder);
        return false;
    }
    if (!lock->isHeld()) {
        complain(QStringLiteral("'%1' is free already").arg(name()));
        setExitCode(ExitCode::AlreadyFree);
        return false;
    }
    printState(*lock);
    if (isHeldAs(*lock, m_arguments.force))
        return true;
    complain(QStringLiteral("'%1' is not held as given, or not by that holder alone; nothing was changed").arg(name()));
    setExitCode(ExitCode::OtherHolder);
    return false;
}

// ---- the question at the terminal ----

Task<bool> ForceCommand::isConfirmed() {
    if (m_arguments.force.isConfirmed)
        co_return true;
    QTextStream(stderr) << "This does not stop the holder: two workers may run at once, and its own unlock will fail.\n"
                        << "Type the name of the lock to break it at " << QString::fromUtf8(textForTerminal(m_arguments.profile.display())) << ": "
                        << Qt::flush;
    m_input.setSocket(standardInput);
    m_input.setEnabled(true);
    const Result<QByteArray> typed = co_await m_answer.wait(Deadline::never(m_clock), m_waiting.get_token());
    m_input.setEnabled(false);
    if (!typed)
        co_return false;  // a signal has set the exit code
    const LockName& lock = m_arguments.lockName;
    if (*typed == lock.bytes() || *typed == lock.display().toLocal8Bit())
        co_return true;
    complain(QStringLiteral("that is not '%1'; nothing was changed").arg(name()));
    setExitCode(ExitCode::Refused);
    co_return false;
}

// A terminal can be read as soon as there is a whole line, or its end.
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
    request.confirmed = std::move(confirmed);
    request.reason = m_arguments.force.reason;
    const control::ForceReport done = co_await m_force.run(request, m_scope.stopToken());
    report(done);
}

void ForceCommand::report(const control::ForceReport& report) {
    if (report.notRecorded)
        complain(QStringLiteral("the outcome is not in the audit: %1").arg(errorWords(*report.notRecorded)));
    if (!report.outcome)
        return reportFailure(report.outcome.error());
    switch (*report.outcome) {
        case BreakOutcome::Broken:
            printLine(QStringLiteral("'%1' was released by force").arg(name()));
            return setExitCode(ExitCode::Done);
        case BreakOutcome::AlreadyFree:
            complain(QStringLiteral("'%1' is free already").arg(name()));
            return setExitCode(ExitCode::AlreadyFree);
        case BreakOutcome::Changed:
            if (report.after)
                printState(*report.after);
            complain(QStringLiteral("'%1' has changed meanwhile; nothing was changed").arg(name()));
            return setExitCode(ExitCode::OtherHolder);
    }
}

void ForceCommand::reportFailure(const Error& error) {
    switch (error.code) {
        case ErrorCode::Cancelled:
            return;  // a signal has set the exit code
        case ErrorCode::NotAnnounced:
            complain(QStringLiteral("'%1': %2").arg(name(), errorWords(error)));
            return setExitCode(ExitCode::Done);
        case ErrorCode::Storage:
            complain(QStringLiteral("nothing was sent, because the audit cannot be written: %1").arg(errorWords(error)));
            return setExitCode(ExitCode::AuditNotPossible);
        case ErrorCode::OutcomeUnknown:
        case ErrorCode::Protocol:
            complain(QStringLiteral("it is not known whether '%1' was released; read it again before anything else: %2")
                         .arg(name(), errorWords(error)));
            return setExitCode(ExitCode::OutcomeUnknown);
        case ErrorCode::InvalidArgument:
            complain(QStringLiteral("'%1' was not released: %2").arg(name(), errorWords(error)));
            return setExitCode(ExitCode::Refused);
        default:
            complain(QStringLiteral("'%1' was not released: %2").arg(name(), errorWords(error)));
            return setExitCode(exitCodeOf(error));
    }
}

// Nothing was sent that changes anything.
void ForceCommand::reportUnread(const Error& error) {
    if (error.code == ErrorCode::Cancelled)
        return;  // a signal has set the exit code
    complain(QStringLiteral("'%1' was not released: %2").arg(name(), errorWords(error)));
    setExitCode(exitCodeOf(error));
}

QString ForceCommand::name() const {
    return boundedName(m_arguments.lockName);
}

}  // namespace lockkeeper::app

#include "moc_forcecommand.cpp"
