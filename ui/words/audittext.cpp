// SPDX-License-Identifier: Apache-2.0
#include "ui/words/audittext.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using control::AuditLine;
using control::AuditOutcome;

constexpr size_t mostFaultsNamed = 5;

struct AuditText {
    Q_DECLARE_TR_FUNCTIONS(AuditText)
};

QString changeText(const control::LockChange& change, const HolderAliases& aliases) {
    switch (change.kind) {
        case control::ChangeKind::ReleaseLock:
            return AuditText::tr("force-release");
        case control::ChangeKind::ReleaseReader:
            return change.reader ? AuditText::tr("release of the reader %1").arg(aliases.display(change.reader->id))
                                 : AuditText::tr("release of a reader");
        case control::ChangeKind::ReleaseHolder:
            return change.holder ? AuditText::tr("release of the holder %1").arg(aliases.display(*change.holder))
                                 : AuditText::tr("release of a holder");
        case control::ChangeKind::RemoveWaiter:
            return change.waiter ? AuditText::tr("removal of the waiter %1").arg(aliases.display(change.waiter->id))
                                 : AuditText::tr("removal of a waiter");
        case control::ChangeKind::WakeWaiters:
            return AuditText::tr("waking the waiters");
        case control::ChangeKind::SetExpiry:
            return AuditText::tr("a TTL of %1").arg(durationText(change.time));
        case control::ChangeKind::Quarantine:
            return AuditText::tr("quarantine for %1").arg(durationText(change.time));
        case control::ChangeKind::QuarantineHolder:
            return AuditText::tr("quarantine for %1 of the holder %2")
                .arg(durationText(change.time), change.holder ? aliases.display(*change.holder) : QString());
        case control::ChangeKind::GiveBackPermit:
            return AuditText::tr("return of the permit %1")
                .arg(change.permit ? QString::fromLatin1(change.permit->id.toHex()) : QString());
    }
    return {};
}

bool isBroken(const AuditLine& line) {
    return line.standing == AuditLine::Standing::Broken;
}

QString placesText(const std::vector<AuditLine>& lines) {
    QStringList places;
    for (size_t i = 0; i < std::min(lines.size(), mostFaultsNamed); ++i)
        places << AuditText::tr("%1, line %2").arg(lines[i].file, numberText(lines[i].number));
    if (lines.size() > mostFaultsNamed)
        places << AuditText::tr("and %Ln more", nullptr, static_cast<int>(lines.size() - mostFaultsNamed));
    return places.join(QStringLiteral("; "));
}

}  // namespace

QString actionText(const control::AuditRecord& record, const HolderAliases& aliases) {
    switch (record.action) {
        case control::AuditAction::Change:
            return changeText(record.change, aliases);
        case control::AuditAction::Acquire:
            return AuditText::tr("acquire");
        case control::AuditAction::Release:
            return AuditText::tr("release");
        case control::AuditAction::Lost:
            return AuditText::tr("lost");
    }
    return {};
}

QString outcomeText(AuditOutcome outcome) {
    switch (outcome) {
        case AuditOutcome::Done:
            return AuditText::tr("Done");
        case AuditOutcome::OtherHolder:
            return AuditText::tr("Held by another");
        case AuditOutcome::AlreadyFree:
            return AuditText::tr("Already free");
        case AuditOutcome::NotSent:
            return AuditText::tr("Not sent");
        case AuditOutcome::Failed:
            return AuditText::tr("Refused");
        case AuditOutcome::Unknown:
            return AuditText::tr("Unknown");
        case AuditOutcome::TakenBack:
            return AuditText::tr("Taken back");
    }
    return {};
}

QString outcomeText(const control::AuditRecord& record, AuditOutcome outcome) {
    return record.action == control::AuditAction::Lost ? QString() : outcomeText(outcome);
}

Tone outcomeTone(AuditOutcome outcome) {
    if (outcome == AuditOutcome::Done)
        return Tone::Normal;
    return outcome == AuditOutcome::Unknown ? Tone::Danger : Tone::Warning;
}

QString operatorText(const control::AuditRecord& record) {
    return record.user + u'@' + record.host;
}

QString chainText(const control::AuditReading& reading) {
    std::vector<AuditLine> broken;
    std::ranges::copy_if(reading.faults, std::back_inserter(broken), isBroken);
    const auto count = static_cast<int>(reading.lineCount);
    if (!broken.empty())
        return AuditText::tr("The chain is broken: lines were changed or removed before these: %1.")
            .arg(placesText(broken));
    if (reading.lineCount == 0)
        return AuditText::tr("Nothing was recorded yet.");
    const QString holds = AuditText::tr("%Ln line(s); the chain holds. The last hash is %1.", nullptr, count)
                              .arg(QString::fromLatin1(reading.lastHash));
    if (reading.faults.empty())
        return holds;
    return holds + u' ' +
           AuditText::tr("Half written, after a crash or on a full disk: %1.").arg(placesText(reading.faults));
}

Tone chainTone(const control::AuditReading& reading) {
    if (std::ranges::any_of(reading.faults, isBroken))
        return Tone::Danger;
    return reading.faults.empty() ? Tone::Info : Tone::Warning;
}

}  // namespace lockkeeper::ui
