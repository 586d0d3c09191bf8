// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/exportformat.h"
#include "ui/events/audit/auditentry.h"

#include <QFuture>

namespace lockkeeper::ui {

// Reads the audit on a thread of the pool, and checks the chain of all lines.
[[nodiscard]] QFuture<Result<control::AuditReading>> readAuditAside(const QString& folder,
                                                                    const control::AuditFilter& filter);
// Writes the file on a thread of the pool, whole or not at all: as CSV, with a line for each action, or the lines as
// they stand in the audit.
[[nodiscard]] QFuture<Result<Done>> writeAuditAside(const QString& path, ExportFormat format,
                                                    std::vector<AuditEntry> entries);

}  // namespace lockkeeper::ui
