// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditrecord.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::control {

// SHA-256 of a line without its line end, in hexadecimal digits.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray auditHash(const QByteArray& line);
// The value in the very first line, in place of the hash of a line before.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray noAuditHash();

// A record as a line of JSON without a line end; the format is documented in resources/manual/audit.md.
// previous: hash of the line before.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toAuditLine(const AuditRecord& record, const QByteArray& previous);

struct AuditLineContent {
    AuditRecord record;
    QByteArray previous;
};
// Nothing if it is not a whole line of this version.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<AuditLineContent> fromAuditLine(const QByteArray& line);

[[nodiscard]] QString wordFor(AuditStep step);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(AuditOutcome outcome);
// The word for the action of the change, such as "force_release".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(ChangeKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordForAction(const AuditRecord& record);

}  // namespace lockkeeper::control
