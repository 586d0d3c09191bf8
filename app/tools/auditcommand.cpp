// SPDX-License-Identifier: Apache-2.0
#include "app/tools/auditcommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "base/isotime.h"
#include "base/safetext.h"
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "platform/standardoutput.h"
#include "ui/words/audittext.h"
#include "ui/words/causetext.h"

#include <QStandardPaths>

namespace lockkeeper::app {

namespace {

using control::AuditAction;
using control::AuditLine;
using control::AuditReading;
using control::AuditRecord;
using control::AuditStep;

QString holdersText(const monitor::LockSnapshot& lock) {
    QStringList holders;
    for (const monitor::Holder& holder : lock.holders)
        holders += QStringLiteral("%1 x%2").arg(holder.id.display()).arg(holder.count);
    return CommandLine::tr("held by %1")
        .arg(holders.isEmpty() ? CommandLine::tr("nobody", "held by") : holders.join(QLatin1String(", ")));
}

// What was done with a lock of the console.
QString ownLockText(const AuditRecord& record) {
    const QString holder = record.holder ? record.holder->display() : QString();
    if (record.action == AuditAction::Lost)
        return CommandLine::tr("lost by %1").arg(holder);
    if (record.step == AuditStep::Intent) {
        const QString what = CommandLine::tr("acquire of %1, as %2", "the lock's id").arg(record.id.left(8), holder);
        return record.state ? QStringLiteral("%1, %2").arg(what, holdersText(*record.state)) : what;
    }
    const QString outcome = ui::outcomeText(record.outcome);
    return record.action == AuditAction::Acquire
               ? CommandLine::tr("%1: acquire of %2", "an outcome, the lock's id").arg(outcome, record.id.left(8))
               : CommandLine::tr("%1: release by %2", "an outcome, a holder").arg(outcome, holder);
}

// A permit belongs to a semaphore, which is no lock.
QString stateBefore(const AuditRecord& record) {
    if (record.change.permit && record.change.permit->ends)
        return CommandLine::tr("its lease ended at %1", "of a permit").arg(isoTime(*record.change.permit->ends));
    return record.state ? holdersText(*record.state) : CommandLine::tr("not readable");
}

QString changeText(const AuditRecord& record) {
    if (record.step == AuditStep::Intent) {
        return CommandLine::tr("%1 of %2, %3: %4", "what is done, its id, who holds the lock, the operator's reason")
            .arg(ui::actionText(record), record.id.left(8), stateBefore(record), record.reason);
    }
    const QString outcome =
        CommandLine::tr("%1: %2", "an outcome, its id").arg(ui::outcomeText(record.outcome), record.id.left(8));
    return record.wokeWaiters ? CommandLine::tr("%1, its waiters were woken", "an outcome").arg(outcome) : outcome;
}

QString textOf(const AuditRecord& record) {
    const QString what = record.action == AuditAction::Change ? changeText(record) : ownLockText(record);
    const QString text =
        QStringLiteral("%1  %2  %3  '%4'  %5")
            .arg(isoTime(record.at), ui::operatorText(record), record.place.server, boundedName(record.lock), what);
    return record.error.isEmpty() ? text : QStringLiteral("%1: %2").arg(text, record.error);
}

QByteArray printedLine(const AuditLine& line, bool json) {
    return json ? jsonForTerminal(line.bytes) : textForTerminal(textOf(*line.record));
}

QString faultText(const AuditLine& line) {
    const QString what =
        line.standing == AuditLine::Standing::Torn
            ? CommandLine::tr("half written")
            : CommandLine::tr(
                  "does not follow the line before: one of the two was changed, or lines between them were removed");
    return CommandLine::tr("%1, line %2: %3").arg(line.file).arg(line.number).arg(what);
}

ExitCode print(const QByteArray& text) {
    const platform::Written written = platform::writeToStandardOutput(text, [] { return false; });
    if (written == platform::Written::Whole)
        return ExitCode::Done;
    complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
    return ExitCode::OutputFailed;
}

// A half-written line is what a crash leaves behind. It is no sign of a change as long as the chain holds.
ExitCode verify(const AuditReading& reading) {
    bool isBroken = false;
    for (const AuditLine& line : reading.faults) {
        complain(faultText(line));
        isBroken = isBroken || line.standing == AuditLine::Standing::Broken;
    }
    if (isBroken)
        return ExitCode::ChainBroken;
    return print(CommandLine::tr("lines: %1, the chain holds, the last hash is %2\n")
                     .arg(reading.lineCount)
                     .arg(QString::fromLatin1(reading.lastHash))
                     .toUtf8());
}

}  // namespace

QString auditFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/audit");
}

ExitCode runAudit(const Arguments& arguments) {
    const Result<AuditReading> reading = control::readAudit(auditFolder(), arguments.audit.filter);
    if (!reading) {
        complain(ui::errorClause(reading.error()));
        return ExitCode::AuditNotPossible;
    }
    if (arguments.audit.isVerified)
        return verify(*reading);
    QByteArray text;
    for (const AuditLine& line : reading->lines)
        text += printedLine(line, arguments.json) + '\n';
    return print(text);
}

}  // namespace lockkeeper::app
