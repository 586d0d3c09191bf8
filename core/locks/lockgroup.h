// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "locks/kinds/lock.h"

#include <QPointer>

#include <vector>

namespace lockkeeper::locks {

// Locks, perhaps of several clients, that one holder takes and releases together: the common part of MultiLock and
// RedLock. A member whose client is destroyed counts as one with a lost connection. Thread: that of all its clients.
class LockGroup {
public:
    explicit LockGroup(std::vector<Lock> members);

    [[nodiscard]] size_t size() const noexcept { return m_members.size(); }
    [[nodiscard]] Clock& clock() const noexcept { return *m_clock; }
    // The lease if the caller gives none: the shortest of the clients' watchdog timeouts.
    [[nodiscard]] Milliseconds watchdogTimeout() const;
    // Whether at least one client still exists.
    [[nodiscard]] bool isAlive() const;
    // The longest command time-out of all members.
    [[nodiscard]] Milliseconds commandTimeout() const;

    [[nodiscard]] Task<Result<LockAttempt>> tryMember(size_t member, ThreadId thread, Deadline waitUntil,
                                                      std::optional<Milliseconds> lease, std::stop_token stop) const;
    // Sets the lease of a held member, counted from now. NotHeld if it is no longer held.
    [[nodiscard]] Task<Result<Done>> setLease(size_t member, ThreadId thread, Milliseconds lease,
                                              std::stop_token stop) const;

    // Whether the server says that this thread holds the member.
    [[nodiscard]] Task<Result<bool>> isHeld(size_t member, ThreadId thread) const;

    // The results of a release so far; the rest continues in the background.
    struct Releases {
        std::vector<std::optional<Result<ReleaseOutcome>>> outcomes;
        size_t left = 0;
        Completion<Done> allDone;
    };
    // Releases one hold of each of these members, all at once and finally: if a server cannot be reached, its hold is
    // no longer renewed, and it is reconciled when the server is reachable again.
    [[nodiscard]] std::shared_ptr<Releases> giveBack(std::vector<size_t> members, ThreadId thread) const;
    [[nodiscard]] std::vector<size_t> allMembers() const;
    // The task runs as long as this member's client lives; it does not start if the client is destroyed.
    void spawn(size_t member, Task<void> task) const;

private:
    struct Member {
        Lock lock;
        QPointer<LockClient> client;
    };

    std::vector<Member> m_members;
    Clock* m_clock;
};

}  // namespace lockkeeper::locks
