// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"
#include "ui/audit/auditentry.h"

namespace lockkeeper::ui {

// Which events are of which action of an operator. All of these want an entry with an event, see eventTypeOf().

[[nodiscard]] monitor::LockEvent eventOfChange(const AuditEntry& entry);
// Whether this event may be of that force by this console, which has one event for each holder.
[[nodiscard]] bool isForceOf(const monitor::LockEvent& event, const AuditEntry& force);
// Whether this is the hand-over to the console that the quarantine has made.
[[nodiscard]] bool isHandOverOf(const monitor::LockEvent& event, const AuditEntry& quarantine);

}  // namespace lockkeeper::ui
