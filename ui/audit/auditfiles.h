// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/audit/auditentry.h"
#include "ui/export/exportformat.h"

#include <QFuture>

namespace lockkeeper::ui {

// On a thread of the pool. At most so many lines, the newest; the chain of all is checked.
[[nodiscard]] QFuture<Result<control::AuditReading>> readAuditAside(const QString& folder, size_t atMost);
// Likewise writes a whole file or none of it: as CSV, a line an action, or the lines as they stand in the audit.
[[nodiscard]] QFuture<Result<Done>> writeAuditAside(const QString& path, ExportFormat format, std::vector<AuditEntry> entries);

}  // namespace lockkeeper::ui
