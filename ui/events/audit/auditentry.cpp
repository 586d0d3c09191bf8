// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditentry.h"

#include "ui/words/audittext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestReason = 300;

struct AuditEntryText {
    Q_DECLARE_TR_FUNCTIONS(AuditEntryText)
};

std::optional<WallTime::duration> lengthOf(AuditSpan span) {
    switch (span) {
        case AuditSpan::All:
            return std::nullopt;
        case AuditSpan::Day:
            return 24h;
        case AuditSpan::Week:
            return 7 * 24h;
        case AuditSpan::Month:
            return 31 * 24h;
    }
    return std::nullopt;
}

QString searchedText(const AuditEntry& entry, const HolderAliases& aliases) {
    const control::AuditRecord& record = entry.record;
    const control::AuditPlace& place = record.place;
    return QStringList{
        plainName(record.lock), operatorText(record),        place.server,
        place.profile,          place.environment,           record.reason,
        actionText(record),     actionText(record, aliases), entry.outcome ? entry.outcome->error : record.error}
        .join(u'\n');
}

// The last outcome counts. It keeps the reason why the first one was unknown.
void setOutcome(AuditEntry& entry, control::AuditRecord outcome) {
    if (entry.outcome && outcome.error.isEmpty())
        outcome.error = entry.outcome->error;
    entry.outcome = std::move(outcome);
}

}  // namespace

std::vector<AuditEntry> auditEntries(const std::vector<control::AuditLine>& lines) {
    std::vector<AuditEntry> entries;
    QHash<QString, size_t> intents;  // places by id; of an outcome without an intent, its own
    for (const control::AuditLine& line : lines) {
        if (!line.record)
            continue;
        const control::AuditRecord& record = *line.record;
        const auto intent = intents.constFind(record.id);
        const bool isOutcome = record.step == control::AuditStep::Outcome;
        if (isOutcome && !record.id.isEmpty() && intent != intents.cend()) {
            setOutcome(entries[*intent], record);
            entries[*intent].lines << line.bytes;
            continue;
        }
        AuditEntry entry{record, isOutcome ? std::optional(record) : std::nullopt, {line.bytes}};
        if (!record.id.isEmpty())
            intents.insert(record.id, entries.size());
        entries.push_back(std::move(entry));
    }
    std::ranges::reverse(entries);
    return entries;
}

void addLine(std::vector<AuditEntry>& entries, const control::AuditRecord& record, const QByteArray& line) {
    const bool isOutcome = record.step == control::AuditStep::Outcome;
    const auto intent = std::ranges::find_if(
        entries, [&record](const AuditEntry& entry) { return !record.id.isEmpty() && entry.record.id == record.id; });
    if (!isOutcome || intent == entries.end()) {
        entries.insert(entries.begin(), {record, isOutcome ? std::optional(record) : std::nullopt, {line}});
        return;
    }
    setOutcome(*intent, record);
    intent->lines << line;
}

control::AuditOutcome outcomeOf(const AuditEntry& entry) {
    return entry.outcome ? entry.outcome->outcome : control::AuditOutcome::Unknown;
}

bool isLoss(const AuditEntry& entry) {
    return entry.record.action == control::AuditAction::Lost;
}

QString entryText(const AuditEntry& entry, const HolderAliases& aliases) {
    if (isLoss(entry))
        return AuditEntryText::tr("The console of %1 lost it: %2", "an operator, a cause")
            .arg(operatorText(entry.record), entry.record.error);
    const QString done =
        AuditEntryText::tr("%1: %2 (%3)", "who, what, outcome")
            .arg(operatorText(entry.record), actionText(entry.record, aliases), outcomeText(outcomeOf(entry)));
    return entry.record.reason.isEmpty() ? done
                                         : AuditEntryText::tr("%1. Reason: %2")
                                               .arg(done, shortened(entry.record.reason.simplified(), longestReason));
}

std::optional<monitor::EventType> eventTypeOf(const AuditEntry& entry) {
    if (entry.record.action != control::AuditAction::Change || outcomeOf(entry) != control::AuditOutcome::Done)
        return std::nullopt;
    switch (entry.record.change.kind) {
        case control::ChangeKind::ReleaseLock:
        case control::ChangeKind::ReleaseReader:
        case control::ChangeKind::ReleaseHolder:
        case control::ChangeKind::Quarantine:
        case control::ChangeKind::QuarantineHolder:
            return monitor::EventType::Forced;
        case control::ChangeKind::RemoveWaiter:
            return monitor::EventType::WaiterRemoved;
        case control::ChangeKind::WakeWaiters:
            return monitor::EventType::WaitersWoken;
        case control::ChangeKind::SetExpiry:
            return monitor::EventType::ExpirySet;
        case control::ChangeKind::GiveBackPermit:
            return std::nullopt;  // of a semaphore, which has no events of a lock
    }
    return std::nullopt;
}

QString changeDetail(const AuditEntry& entry) {
    const QString by = operatorText(entry.record);
    const QString reason = shortened(entry.record.reason.simplified(), longestReason);
    if (control::isQuarantine(entry.record.change.kind))
        return AuditEntryText::tr("into quarantine by %1: %2").arg(by, reason);
    if (entry.record.change.kind == control::ChangeKind::SetExpiry)
        return AuditEntryText::tr("%1, by %2: %3", "a TTL, an operator, a reason")
            .arg(durationText(entry.record.change.time), by, reason);
    return AuditEntryText::tr("by %1: %2", "an operator, a reason").arg(by, reason);
}

bool passes(const AuditEntry& entry, const AuditChoice& choice, WallTime now, const HolderAliases& aliases) {
    if (choice.outcome && (isLoss(entry) || outcomeOf(entry) != *choice.outcome))
        return false;
    const std::optional<WallTime::duration> length = lengthOf(choice.span);
    if (length && entry.record.at < now - *length)
        return false;
    const QStringList words = choice.words.simplified().split(u' ', Qt::SkipEmptyParts);
    const QString text = words.isEmpty() ? QString() : searchedText(entry, aliases);
    return std::ranges::all_of(words,
                               [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace lockkeeper::ui
