// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/readaudit.h"
#include "monitor/model/lockevent.h"
#include "ui/words/holderaliases.h"

#include <vector>

namespace lockkeeper::ui {

// One action of an operator: its intent and its last outcome, as far as they were recorded.
struct AuditEntry {
    control::AuditRecord record;  // the intent, or the outcome if no intent was recorded
    std::optional<control::AuditRecord> outcome;
    QList<QByteArray> lines;  // as they stand in the files
};

// The newest first. Lines without a record are left out.
[[nodiscard]] std::vector<AuditEntry> auditEntries(const std::vector<control::AuditLine>& lines);

// Adds a line that is newer than all entries.
void addLine(std::vector<AuditEntry>& entries, const control::AuditRecord& record, const QByteArray& line);

// An intent without an outcome counts as unknown: the program was killed or the machine failed in between.
[[nodiscard]] control::AuditOutcome outcomeOf(const AuditEntry& entry);

// Whether the entry is the loss of a lock of this console. Nobody did it, so it has no outcome.
[[nodiscard]] bool isLoss(const AuditEntry& entry);

// Who did what, what became of it, and why.
[[nodiscard]] QString entryText(const AuditEntry& entry, const HolderAliases& aliases);
// The event for a change of a lock of others that the server has confirmed; nothing for any other entry.
[[nodiscard]] std::optional<monitor::EventType> eventTypeOf(const AuditEntry& entry);
// Who made the change of this entry, and why.
[[nodiscard]] QString changeDetail(const AuditEntry& entry);

enum class AuditSpan { All, Day, Week, Month };

// What of the audit is shown.
struct AuditChoice {
    QString words;  // each must be found in the lock, the operator, the server, the reason or the action
    std::optional<control::AuditOutcome> outcome;
    AuditSpan span = AuditSpan::All;
};

// now: the end of the span. A client is found by its id and by its name.
[[nodiscard]] bool passes(const AuditEntry& entry, const AuditChoice& choice, WallTime now,
                          const HolderAliases& aliases = {});

}  // namespace lockkeeper::ui
