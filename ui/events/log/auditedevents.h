// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"
#include "ui/events/audit/auditentry.h"

namespace lockkeeper::ui {

// Which events belong to which action of an operator. Each function needs an entry that eventTypeOf() has an event
// for.

[[nodiscard]] monitor::LockEvent eventOfChange(const AuditEntry& entry);
// Whether this event may come from that force by this console, which makes one event for each holder.
[[nodiscard]] bool isForceOf(const monitor::LockEvent& event, const AuditEntry& force);
// Whether this is the hand-over to the console that the quarantine has made.
[[nodiscard]] bool isHandOverOf(const monitor::LockEvent& event, const AuditEntry& quarantine);

}  // namespace lockkeeper::ui
