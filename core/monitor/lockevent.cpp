#include "monitor/lockevent.h"

namespace lockkeeper::monitor {

LockEvent notWatchedSince(WallTime last, WallTime now) {
    LockEvent event;
    event.at = now;
    event.type = EventType::NotWatched;
    event.gap = std::max(std::chrono::duration_cast<Milliseconds>(now - last), Milliseconds(0));
    return event;
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
