// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

#include <QString>

#include <memory>

namespace lockkeeper::ui {

struct AuditEntry;

// An event as the log keeps it.
struct LoggedEvent : monitor::LockEvent {
    LoggedEvent() = default;
    // Not explicit: ranges of events are inserted.
    LoggedEvent(monitor::LockEvent event)
        : monitor::LockEvent(std::move(event)) {}  // NOLINT(google-explicit-constructor)

    // What the operator has noted of it; null: not known, or not of an operator.
    std::shared_ptr<const AuditEntry> doneBy;
};

// The details of the event besides its type, lock and holder.
[[nodiscard]] QString detailOf(const LoggedEvent& event);

}  // namespace lockkeeper::ui
