// SPDX-License-Identifier: Apache-2.0
#include "app/tools/auditcommand.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "base/isotime.h"
#include "base/safetext.h"
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "platform/standardoutput.h"
#include "ui/words/causetext.h"

#include <QStandardPaths>

namespace lockkeeper::app {

namespace {

using control::AuditAction;
using control::AuditLine;
using control::AuditReading;
using control::AuditRecord;
using control::AuditStep;

QString holdersOf(const monitor::LockSnapshot& lock) {
    QStringList holders;
    for (const monitor::Holder& holder : lock.holders)
        holders += QStringLiteral("%1 x%2").arg(holder.id.display()).arg(holder.count);
    return holders.isEmpty() ? QStringLiteral("nobody") : holders.join(QLatin1String(", "));
}

QString actionOf(const control::LockChange& change) {
    switch (change.kind) {
        case control::ChangeKind::ReleaseLock:
            return QStringLiteral("force-release");
        case control::ChangeKind::ReleaseReader:
            return change.reader ? QStringLiteral("release of the reader ") + change.reader->id.display()
                                 : QStringLiteral("release of a reader");
        case control::ChangeKind::ReleaseHolder:
            return change.holder ? QStringLiteral("release of the holder ") + change.holder->display()
                                 : QStringLiteral("release of a holder");
        case control::ChangeKind::RemoveWaiter:
            return change.waiter ? QStringLiteral("removal of the waiter ") + change.waiter->id.display()
                                 : QStringLiteral("removal of a waiter");
        case control::ChangeKind::WakeWaiters:
            return QStringLiteral("waking the waiters");
        case control::ChangeKind::SetExpiry:
            return QStringLiteral("a TTL of %1 ms").arg(change.time.count());
        case control::ChangeKind::Quarantine:
            return QStringLiteral("a quarantine of %1 ms").arg(change.time.count());
        case control::ChangeKind::QuarantineHolder:
            return QStringLiteral("a quarantine of %1 ms of the holder %2")
                .arg(change.time.count())
                .arg(change.holder ? change.holder->display() : QString());
        case control::ChangeKind::GiveBackPermit:
            return QStringLiteral("return of the permit ") +
                   (change.permit ? QString::fromLatin1(change.permit->id.toHex()) : QString());
    }
    return {};
}

// What was done with a lock of the console.
QString ownLockText(const AuditRecord& record) {
    const QString holder = record.holder ? record.holder->display() : QString();
    QString what;
    if (record.action == AuditAction::Lost)
        what = QStringLiteral("lost by %1").arg(holder);
    else if (record.step == AuditStep::Intent)
        what = QStringLiteral("acquire of %1, as %2").arg(record.id.left(8), holder);
    else if (record.action == AuditAction::Acquire)
        what = QStringLiteral("%1 of %2").arg(wordFor(record.outcome), record.id.left(8));
    else
        what = QStringLiteral("release by %1: %2").arg(holder, wordFor(record.outcome));
    if (record.step == AuditStep::Intent && record.state)
        what += QStringLiteral(", held by ") + holdersOf(*record.state);
    return record.error.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, record.error);
}

// A permit belongs to a semaphore, which is no lock.
QString stateBefore(const AuditRecord& record) {
    if (record.change.permit && record.change.permit->ends)
        return QStringLiteral("its lease ended at ") + isoTime(*record.change.permit->ends);
    return record.state ? QStringLiteral("held by ") + holdersOf(*record.state) : QStringLiteral("not readable");
}

QString textOf(const AuditRecord& record) {
    const QString text =
        QStringLiteral("%1  %2@%3  %4  '%5'  ")
            .arg(isoTime(record.at), record.user, record.host, record.place.server, boundedName(record.lock));
    if (record.action != AuditAction::Change)
        return text + ownLockText(record);
    if (record.step == AuditStep::Intent) {
        return text + QStringLiteral("%1 of %2, %3: %4")
                          .arg(actionOf(record.change), record.id.left(8), stateBefore(record), record.reason);
    }
    const QString outcome = QStringLiteral("%1 of %2").arg(wordFor(record.outcome), record.id.left(8));
    return text + (record.error.isEmpty() ? outcome : QStringLiteral("%1: %2").arg(outcome, record.error));
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
