// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/auditedevents.h"

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

// Time between an event and its line in the audit: the disk may be slow.
constexpr auto timeToRecord = 15s;

bool isNear(const monitor::LockEvent& event, const AuditEntry& change) {
    return event.lock.name == change.record.lock && std::chrono::abs(event.at - change.outcome->at) < timeToRecord;
}

// The holder or waiter that the change was about.
std::optional<monitor::Holder> subjectOf(const control::AuditRecord& record) {
    if (record.change.reader)
        return record.change.reader;
    if (record.change.waiter)
        return monitor::Holder{record.change.waiter->id};
    if (record.change.holder)
        return monitor::Holder{*record.change.holder};
    return record.state && record.state->isHeld() ? std::optional(record.state->holders.front()) : std::nullopt;
}

}  // namespace

monitor::LockEvent eventOfChange(const AuditEntry& entry) {
    const control::AuditRecord& record = entry.record;
    monitor::LockEvent event;
    event.at = entry.outcome->at;
    event.type = *eventTypeOf(entry);
    event.lock.name = record.lock;
    event.lock.kind = record.state ? record.state->kind : event.lock.kind;
    event.holder = subjectOf(record);
    if (event.type == monitor::EventType::ExpirySet)
        event.lock.ttl = record.change.time;
    return event;
}

bool isForceOf(const monitor::LockEvent& event, const AuditEntry& force) {
    const control::LockChange& change = force.record.change;
    const bool isOfOne = change.reader || change.holder;
    const std::optional<monitor::Holder> subject = subjectOf(force.record);
    return event.type == monitor::EventType::Forced && isNear(event, force) &&
           (!isOfOne || !event.holder || !subject || event.holder->id == subject->id);
}

bool isHandOverOf(const monitor::LockEvent& event, const AuditEntry& quarantine) {
    const std::optional<HolderId>& newHolder = quarantine.record.change.newHolder;
    return event.type == monitor::EventType::HandedOver && newHolder && event.holder &&
           event.holder->id == *newHolder && isNear(event, quarantine);
}

}  // namespace lockkeeper::ui
