// SPDX-License-Identifier: Apache-2.0
#include "ui/words/eventtext.h"

#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

struct EventText {
    Q_DECLARE_TR_FUNCTIONS(EventText)
};

QString leaseText(const monitor::LockSnapshot& lock) {
    if (lock.ttl)
        return EventText::tr("lease %1").arg(durationText(*lock.ttl));
    return lock.neverExpires() ? EventText::tr("without expiry") : QString();
}

QString countDetail(const monitor::LockEvent& event) {
    return event.holder ? EventText::tr("count %1").arg(numberText(event.holder->count)) : QString();
}

QString diagnosisDetail(const monitor::LockEvent& event) {
    if (!event.diagnosis)
        return {};
    const QString what = diagnosisText(*event.diagnosis);
    return event.phase == monitor::DiagnosisPhase::Begun ? what : EventText::tr("no longer: %1").arg(what);
}

QString signDetail(monitor::ReleaseSign sign) {
    switch (sign) {
        case monitor::ReleaseSign::Message:
            break;
        case monitor::ReleaseSign::NoMessage:
            return EventText::tr(
                "without a message, as a spin lock, or a fair lock without waiters; it may have been deleted, too");
        case monitor::ReleaseSign::Inferred:
            return EventText::tr("inferred from its queue; it may have been deleted, too");
    }
    return {};
}

QString takenDetail(const monitor::LockEvent& event) {
    if (!event.lock.isHeld())
        return {};
    const bool isSameHolder =
        event.holder && std::ranges::any_of(event.lock.holders, [&](const monitor::Holder& holder) {
            return holder.id == event.holder->id;
        });
    if (event.holder && event.holder->mode == monitor::HoldMode::Read)
        return EventText::tr("others hold it");
    if (event.holder && event.holder->mode == monitor::HoldMode::Write && isSameHolder)
        return EventText::tr("its holder holds it in another mode");
    return isSameHolder ? EventText::tr("taken again by the same holder")
                        : EventText::tr("taken by another holder since");
}

// The event has the lock as it was read after the release. If the hold was exclusive, somebody has taken the lock
// since.
QString releaseDetail(const monitor::LockEvent& event) {
    return listText({signDetail(event.releaseSign), takenDetail(event)});
}

}  // namespace

QString eventText(monitor::EventType type) {
    switch (type) {
        case monitor::EventType::Found:
            return EventText::tr("Found");
        case monitor::EventType::Acquired:
            return EventText::tr("Acquired");
        case monitor::EventType::Reentered:
            return EventText::tr("Reentered");
        case monitor::EventType::ReleasedOnce:
            return EventText::tr("Released once");
        case monitor::EventType::Renewed:
            return EventText::tr("Renewed");
        case monitor::EventType::Released:
            return EventText::tr("Released");
        case monitor::EventType::Expired:
            return EventText::tr("Expired");
        case monitor::EventType::Deleted:
            return EventText::tr("Deleted");
        case monitor::EventType::HandedOver:
            return EventText::tr("Handed over");
        case monitor::EventType::Waiters:
            return EventText::tr("Waiters");
        case monitor::EventType::NotWatched:
            return EventText::tr("Not watched");
        case monitor::EventType::Swept:
            return EventText::tr("Swept");
        case monitor::EventType::Diagnosed:
            return EventText::tr("Diagnosis");
        case monitor::EventType::Gone:
            return EventText::tr("Gone");
        case monitor::EventType::Emptied:
            return EventText::tr("No data any more");
        case monitor::EventType::ThreadSeen:
            return EventText::tr("Thread dump");
        case monitor::EventType::Forced:
            return EventText::tr("Forced");
        case monitor::EventType::WaiterRemoved:
            return EventText::tr("Waiter removed");
        case monitor::EventType::WaitersWoken:
            return EventText::tr("Waiters woken");
        case monitor::EventType::ExpirySet:
            return EventText::tr("TTL set");
    }
    return {};
}

QString eventDetail(const monitor::LockEvent& event) {
    switch (event.type) {
        case monitor::EventType::Found:
        case monitor::EventType::Acquired:
        case monitor::EventType::Reentered:
        case monitor::EventType::ReleasedOnce:
            return listText({countDetail(event), leaseText(event.lock)});
        case monitor::EventType::Renewed:
            return leaseText(event.lock);
        case monitor::EventType::Released:
            return releaseDetail(event);
        case monitor::EventType::Expired:
            return EventText::tr("its lease ran out without a release");
        case monitor::EventType::Deleted:
            return EventText::tr("gone with time left, without the message of a release");
        case monitor::EventType::HandedOver:
            return event.suspect ? EventText::tr("suspect: the last lease had time left and no release was received")
                                 : leaseText(event.lock);
        case monitor::EventType::Waiters:
            return event.lock.waiters ? EventText::tr("now %1").arg(waitersText(event.lock)) : QString();
        case monitor::EventType::NotWatched:
            return event.notWritten
                       ? EventText::tr("what was seen in the %1 before could not be written")
                             .arg(durationText(event.gap))
                       : EventText::tr("what happened in the %1 before is not known").arg(durationText(event.gap));
        case monitor::EventType::Swept:
            return EventText::tr("keys: %1, locks: %2")
                .arg(numberText(static_cast<qint64>(event.sweptKeys)),
                     numberText(static_cast<qint64>(event.sweptLocks)));
        case monitor::EventType::Diagnosed:
            return diagnosisDetail(event);
        case monitor::EventType::Gone:
            return EventText::tr("how it ended was not seen");
        case monitor::EventType::Emptied: {
            const int ended = static_cast<int>(event.sweptLocks);
            return event.lock.node
                       ? EventText::tr("node %1 has no data any more: %Ln lock(s) ended", nullptr, ended)
                             .arg(event.lock.node->address)
                       : EventText::tr("the server has no data any more: %Ln lock(s) ended", nullptr, ended);
        }
        case monitor::EventType::ThreadSeen:
            return event.thread ? seenThreadText(*event.thread) : QString();
        case monitor::EventType::Forced:
            return EventText::tr("broken by this console");
        case monitor::EventType::WaiterRemoved:
        case monitor::EventType::WaitersWoken:
            return EventText::tr("by an operator");
        case monitor::EventType::ExpirySet:
            return listText({leaseText(event.lock), EventText::tr("by an operator")});
    }
    return {};
}

}  // namespace lockkeeper::ui
