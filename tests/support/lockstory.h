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
        m_history.follow(m_last, read, monitor::compareSnapshots(m_last, read, between, m_history.releaseHabit()),
                         between);
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
        const SteadyTime began(std::chrono::hours(1) + at);
        m_history.count(listeners, began, m_last, queue, m_noneAt);
        m_noneAt = listeners.clients == 0 ? began : monitor::LockHistory::notCounted;
        return *this;
    }
    // The lock is watched since before the first of its waiters came.
    LockStory& countedNone(Milliseconds at) { return counted(at, {}); }

    LockStory& replicas(int connected, int mostSeen) {
        m_node.replicas = {connected, mostSeen};
        return *this;
    }
    LockStory& silentReplicas(int silent) {
        m_node.replicas.silent = silent;
        return *this;
    }
    // The client renews other locks to this lease.
    LockStory& renews(const HolderId& holder, Milliseconds lease) {
        m_renewals += {holder.client(), lease};
        m_renewals += {holder.client(), lease};
        return *this;
    }
    LockStory& commandsPerSecond(qint64 rate) {
        m_node.commandsPerSecond = rate;
        return *this;
    }

    // What the user says about all clients.
    LockStory& configured(const monitor::ClientTimeouts& timeouts) {
        m_timeouts = timeouts;
        return *this;
    }

    [[nodiscard]] const monitor::LockHistory& history() const { return m_history; }
    [[nodiscard]] monitor::Findings findings(const QSet<ClientId>& own = {}) const {
        monitor::WatchdogLeases watchdogs(m_timeouts.watchdog);
        for (const auto& [client, lease] : m_renewals)
            (void)watchdogs.note(client, lease);
        return monitor::diagnose(m_last, m_history, m_node, watchdogs, own, m_timeouts);
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
    monitor::ClientTimeouts m_timeouts;
    SteadyTime m_noneAt = monitor::LockHistory::notCounted;
    QList<std::pair<ClientId, Milliseconds>> m_renewals;
};

}  // namespace lockkeeper::test
