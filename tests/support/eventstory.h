// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/samplelocks.h"

namespace lockkeeper::test {

// A sequence of events of one lock, at times that the test chooses.
class EventStory {
public:
    explicit EventStory(const char* lock, WallTime start) : m_start(start) {
        m_lock.name = lockName(lock);
        m_lock.kind = monitor::LockKind::Reentrant;
    }

    // after: time since the start. Afterwards the lock is held by these holders, with this remaining lease.
    EventStory& event(monitor::EventType type, Milliseconds after, const QList<monitor::Holder>& holders,
                      std::optional<Milliseconds> ttl = Milliseconds(30000)) {
        m_lock.holders = holders;
        m_lock.ttl = holders.isEmpty() ? std::nullopt : ttl;
        m_lock.seenAtWall = m_start + after;
        return add(type, after);
    }
    EventStory& ends(monitor::EventType type, Milliseconds after, const monitor::Holder& holder,
                     const QList<monitor::Holder>& left = {}) {
        event(type, after, left);
        m_events.back().holder = holder;
        return *this;
    }
    EventStory& gap(Milliseconds after, Milliseconds length, const QList<monitor::Holder>& holders) {
        event(monitor::EventType::NotWatched, after, holders);
        m_events.back().gap = length;
        return *this;
    }
    EventStory& waiters(Milliseconds after, int waiters) {
        m_lock.waiters = waiters;
        return add(monitor::EventType::Waiters, after);
    }

    [[nodiscard]] const std::vector<monitor::LockEvent>& events() const { return m_events; }

private:
    EventStory& add(monitor::EventType type, Milliseconds after) {
        monitor::LockEvent event;
        event.at = m_start + after;
        event.type = type;
        event.lock = m_lock;
        if (m_lock.isHeld())
            event.holder = m_lock.holders.last();
        m_events.push_back(event);
        return *this;
    }

    WallTime m_start;
    monitor::LockSnapshot m_lock;
    std::vector<monitor::LockEvent> m_events;
};

}  // namespace lockkeeper::test
