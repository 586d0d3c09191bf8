// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/exportformat.h"
#include "ui/events/audit/auditentry.h"

namespace lockkeeper::ui {

// Writes the file, whole or not at all: as CSV, with a line for each action, or the lines as they stand in the audit.
// Blocks for the disk.
[[nodiscard]] Result<Done> saveAudit(const QString& path, ExportFormat format, const std::vector<AuditEntry>& entries);

}  // namespace lockkeeper::ui
