// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/audit/auditentry.h"
#include "ui/export/exportformat.h"

#include <QFuture>

namespace lockkeeper::ui {

// On a thread of the pool. The chain of all lines is checked.
[[nodiscard]] QFuture<Result<control::AuditReading>> readAuditAside(const QString& folder, const control::AuditFilter& filter);
// Likewise writes a whole file or none of it: as CSV, a line an action, or the lines as they stand in the audit.
[[nodiscard]] QFuture<Result<Done>> writeAuditAside(const QString& path, ExportFormat format, std::vector<AuditEntry> entries);

}  // namespace lockkeeper::ui
