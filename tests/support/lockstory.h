// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/diagnose.h"
#include "support/locksnapshots.h"

namespace lockkeeper::test {

// A sequence of reads of one lock, as a monitor on a tracking server makes them, and the conclusions after the last
// one.
class LockStory {
public:
    explicit LockStory(const monitor::LockSnapshot& first) : m_last(first), m_history(first) {}

    LockStory& then(const monitor::LockSnapshot& read, const monitor::BetweenReads& between) {
        m_history.follow(m_last, read, monitor::compareSnapshots(m_last, read, between), between);
        m_last = read;
        return *this;
    }
    // The server pushed a change 1 ms before the read.
    LockStory& changed(const monitor::LockSnapshot& read, int messages = 0) {
        return then(read, touched(read, messages));
    }
    // The lock is read again without a push from the server.
    LockStory& again(const monitor::LockSnapshot& read) {
        monitor::BetweenReads between;
        between.touch = monitor::KeyTouch::Untouched;
        return then(read, between);
    }
    LockStory& missingMessages(const monitor::LockSnapshot& read) {
        monitor::BetweenReads between = touched(read, 0);
        between.reception = monitor::Reception::Incomplete;
        return then(read, between);
    }
    LockStory& gap(const monitor::LockSnapshot& read, const std::optional<QByteArray>& newServerRole = std::nullopt) {
        monitor::BetweenReads between;
        between.gap = Milliseconds(500);
        between.newServerRole = newServerRole;
        return then(read, between);
    }
    LockStory& counted(Milliseconds at, const monitor::Listeners& listeners,
                       const monitor::QueueListening& queue = {}) {
        m_history.count(listeners, SteadyTime(std::chrono::hours(1) + at), m_last, queue);
        return *this;
    }

    LockStory& replicas(int connected, int mostSeen) {
        m_node.replicas = {connected, mostSeen};
        return *this;
    }
    LockStory& commandsPerSecond(qint64 rate) {
        m_node.commandsPerSecond = rate;
        return *this;
    }

    [[nodiscard]] const monitor::LockHistory& history() const { return m_history; }
    [[nodiscard]] monitor::Findings findings(const QSet<ClientId>& own = {}) const {
        return monitor::diagnose(m_last, m_history, m_node, own);
    }

private:
    static monitor::BetweenReads touched(const monitor::LockSnapshot& read, int messages) {
        monitor::BetweenReads between;
        between.touch = monitor::KeyTouch::Touched;
        between.touchedAt = read.seenAt - Milliseconds(1);
        between.messages = messages;
        return between;
    }

    monitor::LockSnapshot m_last;
    monitor::LockHistory m_history;
    monitor::NodeFigures m_node;
};

}  // namespace lockkeeper::test
