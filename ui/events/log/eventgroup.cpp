// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventgroup.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

using monitor::EventType;

struct EventGroups {
    Q_DECLARE_TR_FUNCTIONS(EventGroups)
};

}  // namespace

EventGroup groupOf(EventType type) {
    switch (type) {
        case EventType::Found:
        case EventType::Acquired:
        case EventType::Reentered:
        case EventType::ReleasedOnce:
        case EventType::HandedOver:
            return EventGroup::Holds;
        case EventType::Released:
        case EventType::Expired:
        case EventType::Deleted:
        case EventType::Gone:
        case EventType::Emptied:
        case EventType::Forced:
            return EventGroup::Ends;
        case EventType::Renewed:
            return EventGroup::Renewals;
        case EventType::Waiters:
            return EventGroup::Waiters;
        case EventType::Diagnosed:
        case EventType::ThreadSeen:
            return EventGroup::Diagnoses;
        case EventType::WaiterRemoved:
        case EventType::WaitersWoken:
        case EventType::ExpirySet:
            return EventGroup::Changes;
        case EventType::NotWatched:
        case EventType::Swept:
            break;
    }
    return EventGroup::Gaps;
}

QString eventGroupText(EventGroup group) {
    switch (group) {
        case EventGroup::Holds:
            return EventGroups::tr("Holds");
        case EventGroup::Ends:
            return EventGroups::tr("Ends");
        case EventGroup::Renewals:
            return EventGroups::tr("Renewals");
        case EventGroup::Waiters:
            return EventGroups::tr("Waiters");
        case EventGroup::Diagnoses:
            return EventGroups::tr("Diagnoses");
        case EventGroup::Gaps:
            return EventGroups::tr("Gaps");
        case EventGroup::Changes:
            return EventGroups::tr("Changes");
    }
    return {};
}

QString eventGroupHelp(EventGroup group) {
    switch (group) {
        case EventGroup::Holds:
            return EventGroups::tr("Show: found, acquired, reentered, released once, handed over");
        case EventGroup::Ends:
            return EventGroups::tr("Show: released, expired, deleted, gone, the server has no data any more, forced");
        case EventGroup::Renewals:
            return EventGroups::tr("Show each renewal of a lease");
        case EventGroup::Waiters:
            return EventGroups::tr("Show each change in the number of waiters");
        case EventGroup::Diagnoses:
            return EventGroups::tr("Show the begin and end of diagnoses, and what thread dumps show");
        case EventGroup::Gaps:
            return EventGroups::tr("Show when it was not watched");
        case EventGroup::Changes:
            return EventGroups::tr(
                "Show what operators changed without a release: waiter removed, waiters woken, TTL set");
    }
    return {};
}

EventWeight weightOf(const monitor::LockEvent& event) {
    if (event.suspect)
        return EventWeight::Grave;
    switch (event.type) {
        case EventType::Expired:
        case EventType::Emptied:
            return EventWeight::Grave;
        case EventType::Deleted:
        case EventType::Forced:
            return EventWeight::Warning;
        case EventType::NotWatched:
        case EventType::Gone:
        case EventType::ThreadSeen:
        case EventType::WaiterRemoved:
        case EventType::WaitersWoken:
        case EventType::ExpirySet:
            return EventWeight::Notable;
        case EventType::Diagnosed:
            if (!event.diagnosis)
                return EventWeight::Usual;
            if (event.phase == monitor::DiagnosisPhase::Ended)
                return EventWeight::Good;
            return monitor::severityOf(event.diagnosis->kind()) == monitor::Severity::Fault ? EventWeight::Warning
                                                                                            : EventWeight::Notable;
        default:
            return EventWeight::Usual;
    }
}

}  // namespace lockkeeper::ui
