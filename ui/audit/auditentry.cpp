// SPDX-License-Identifier: Apache-2.0
#include "ui/audit/auditentry.h"

#include "ui/words/audittext.h"
#include "ui/words/locktext.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

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

QString searchedText(const AuditEntry& entry) {
    const control::AuditRecord& record = entry.record;
    const control::AuditPlace& place = record.place;
    return QStringList{plainName(record.lock), operatorText(record), place.server, place.profile, place.environment,
                       record.reason, actionText(record), entry.outcome ? entry.outcome->error : record.error}
        .join(u'\n');
}

}  // namespace

std::vector<AuditEntry> auditEntries(const std::vector<control::AuditLine>& lines) {
    std::vector<AuditEntry> entries;
    QHash<QString, size_t> open;  // intents by id
    for (const control::AuditLine& line : lines) {
        if (!line.record)
            continue;
        const control::AuditRecord& record = *line.record;
        const auto intent = open.constFind(record.id);
        const bool isOutcome = record.step == control::AuditStep::Outcome;
        if (isOutcome && !record.id.isEmpty() && intent != open.cend()) {
            entries[*intent].outcome = record;
            entries[*intent].lines << line.bytes;
            open.erase(intent);
            continue;
        }
        AuditEntry entry{record, isOutcome ? std::optional(record) : std::nullopt, {line.bytes}};
        if (!isOutcome)
            open.insert(record.id, entries.size());
        entries.push_back(std::move(entry));
    }
    std::ranges::reverse(entries);
    return entries;
}

control::AuditOutcome outcomeOf(const AuditEntry& entry) {
    return entry.outcome ? entry.outcome->outcome : control::AuditOutcome::Unknown;
}

bool passes(const AuditEntry& entry, const AuditChoice& choice, WallTime now) {
    if (choice.outcome && outcomeOf(entry) != *choice.outcome)
        return false;
    const std::optional<WallTime::duration> length = lengthOf(choice.span);
    if (length && entry.record.at < now - *length)
        return false;
    const QStringList words = choice.words.simplified().split(u' ', Qt::SkipEmptyParts);
    const QString text = words.isEmpty() ? QString() : searchedText(entry);
    return std::ranges::all_of(words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace lockkeeper::ui
