// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

#include <QSet>
#include <QString>

namespace lockkeeper::ui {

// Types of events that are shown or hidden together.
enum class EventGroup { Holds, Ends, Renewals, Waiters, Diagnoses, Gaps, Changes };
constexpr int eventGroups = 7;

[[nodiscard]] EventGroup groupOf(monitor::EventType type);
// The many events that say little by themselves.
[[nodiscard]] inline QSet<EventGroup> groupsHiddenAtFirst() {
    return {EventGroup::Renewals, EventGroup::Waiters};
}
// A short title, and which events these are.
[[nodiscard]] QString eventGroupText(EventGroup group);
[[nodiscard]] QString eventGroupHelp(EventGroup group);

// How much an event matters.
enum class EventWeight {
    Usual,
    Good,     // a diagnosis ended
    Notable,  // something is not known, or may be as it should
    Warning,
    Grave  // two workers may be at work
};
[[nodiscard]] EventWeight weightOf(const monitor::LockEvent& event);

}  // namespace lockkeeper::ui
