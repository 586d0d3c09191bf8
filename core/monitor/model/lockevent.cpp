// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/lockevent.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool isAboutAllLocks(const LockEvent& event) {
    return event.type == EventType::NotWatched && event.lock.name.isEmpty();
}

bool isWatchingsEnd(const LockEvent& event) {
    return isAboutAllLocks(event) && event.gap == Milliseconds(0) && !event.notWritten;
}

// Gaps are whole milliseconds.
bool tellsOfGapSince(WallTime time, const LockEvent& event) {
    return isAboutAllLocks(event) && event.at - event.gap < time + Milliseconds(1);
}

bool areOneGap(const LockEvent& before, const LockEvent& after) {
    return isAboutAllLocks(before) && !before.notWritten && !after.notWritten && tellsOfGapSince(before.at, after);
}

}  // namespace

bool hasLockState(const LockEvent& event) {
    const bool isOfAClient = event.diagnosis && isOfClient(event.diagnosis->kind());
    return !isOfDatabase(event.type) && !isOfOperator(event.type) && !isOfAClient;
}

LockEvent eventAbout(EventType type, const LockSnapshot& lock, WallTime at) {
    LockEvent event;
    event.at = at;
    event.type = type;
    event.lock = lock;
    return event;
}

LockEvent eventAbout(const Diagnosis& diagnosis, DiagnosisPhase phase, const LockSnapshot& lock, WallTime at) {
    LockEvent event = eventAbout(EventType::Diagnosed, lock, at);
    event.diagnosis = diagnosis;
    event.phase = phase;
    return event;
}

LockEvent notWatchedSince(WallTime last, WallTime now) {
    LockEvent event;
    event.at = now;
    event.type = EventType::NotWatched;
    event.gap = std::max(std::chrono::duration_cast<Milliseconds>(now - last), Milliseconds(0));
    return event;
}

void closeGaps(std::vector<LockEvent>& events) {
    std::vector<LockEvent> closed;
    closed.reserve(events.size());
    std::optional<WallTime> watchedUpTo;
    for (LockEvent& event : events) {
        if (isWatchingsEnd(event)) {
            watchedUpTo = watchedUpTo.value_or(event.at);
            continue;
        }
        if (watchedUpTo && !tellsOfGapSince(*watchedUpTo, event))
            closed.push_back(notWatchedSince(*watchedUpTo, isAboutAllLocks(event) ? event.at - event.gap : event.at));
        watchedUpTo.reset();
        // Each attempt to connect reports the gap up to it.
        if (!closed.empty() && areOneGap(closed.back(), event))
            closed.back() =
                notWatchedSince(std::min(closed.back().at - closed.back().gap, event.at - event.gap), event.at);
        else
            closed.push_back(std::move(event));
    }
    events = std::move(closed);
}

void dropOldest(std::vector<LockEvent>& events, size_t most) {
    if (events.size() <= most)
        return;
    const auto kept = events.end() - static_cast<qsizetype>(most - 1);
    LockEvent lost = notWatchedSince(events.front().at - events.front().gap, kept->at);
    lost.notWritten = true;
    events.erase(events.begin(), kept - 1);
    events.front() = lost;
}

std::vector<LockEvent> forcedOut(const LockSnapshot& broken, WallTime at) {
    std::vector<LockEvent> events;
    for (const Holder& holder : broken.holders) {
        LockEvent event;
        event.at = at;
        event.type = EventType::Forced;
        event.holder = holder;
        event.lock.name = broken.name;
        event.lock.kind = broken.kind;
        event.lock.seenAtWall = at;
        events.push_back(std::move(event));
    }
    return events;
}

QString wordFor(EventType type) {
    switch (type) {
        case EventType::Found:
            return QStringLiteral("found");
        case EventType::Acquired:
            return QStringLiteral("acquired");
        case EventType::Reentered:
            return QStringLiteral("reentered");
        case EventType::ReleasedOnce:
            return QStringLiteral("released_once");
        case EventType::Renewed:
            return QStringLiteral("renewed");
        case EventType::Released:
            return QStringLiteral("released");
        case EventType::Expired:
            return QStringLiteral("expired");
        case EventType::Deleted:
            return QStringLiteral("deleted");
        case EventType::HandedOver:
            return QStringLiteral("handed_over");
        case EventType::Waiters:
            return QStringLiteral("waiters");
        case EventType::NotWatched:
            return QStringLiteral("not_watched");
        case EventType::Swept:
            return QStringLiteral("swept");
        case EventType::Diagnosed:
            return QStringLiteral("diagnosis");
        case EventType::Gone:
            return QStringLiteral("gone");
        case EventType::Emptied:
            return QStringLiteral("emptied");
        case EventType::ThreadSeen:
            return QStringLiteral("thread_seen");
        case EventType::Forced:
            return QStringLiteral("forced");
        case EventType::WaiterRemoved:
            return QStringLiteral("waiter_removed");
        case EventType::WaitersWoken:
            return QStringLiteral("waiters_woken");
        case EventType::ExpirySet:
            return QStringLiteral("expiry_set");
    }
    return {};
}

QString wordFor(LockKind kind) {
    switch (kind) {
        case LockKind::Unknown:
            return QStringLiteral("unknown");
        case LockKind::Reentrant:
            return QStringLiteral("reentrant");
        case LockKind::Fair:
            return QStringLiteral("fair");
        case LockKind::ReadWrite:
            return QStringLiteral("readwrite");
        case LockKind::Fenced:
            return QStringLiteral("fenced");
        case LockKind::FasterMulti:
            return QStringLiteral("faster_multi");
    }
    return {};
}

QString wordFor(HoldMode mode) {
    switch (mode) {
        case HoldMode::Exclusive:
            return QStringLiteral("exclusive");
        case HoldMode::Read:
            return QStringLiteral("read");
        case HoldMode::Write:
            return QStringLiteral("write");
    }
    return {};
}

QString wordFor(DiagnosisPhase phase) {
    switch (phase) {
        case DiagnosisPhase::Begun:
            return QStringLiteral("begin");
        case DiagnosisPhase::Ended:
            return QStringLiteral("end");
    }
    return {};
}

}  // namespace lockkeeper::monitor
