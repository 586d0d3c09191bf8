// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditrecord.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::control {

// The audit as CSV for spreadsheets, a line an action: times in ISO 8601 and UTC, words as in its JSON lines.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray auditCsvHeader();
// record: the intent, or the outcome if there is no intent.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray auditCsvLine(const AuditRecord& record,
                                                                const std::optional<AuditRecord>& outcome);

}  // namespace lockkeeper::control
