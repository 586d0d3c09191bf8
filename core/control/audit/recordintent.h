// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/audit/auditlog.h"

namespace lockkeeper::control {

// Waits until the intent is on the disk; nothing may be sent before. If it fails, the intent may still be written
// later, followed by the outcome that nothing was sent. The log must outlive the task. Errors: Storage, Cancelled.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<Done>> recordIntent(AuditLog* log, AuditRecord intent, Clock* clock,
                                                                        std::stop_token stop);

}  // namespace lockkeeper::control
