#pragma once

#include "locks/kinds/lock.h"

#include <QPointer>

#include <vector>

namespace lockkeeper::locks {

// Locks, perhaps of several clients, that one holder takes and gives back together: what MultiLock and RedLock share.
// A member whose client is gone counts as one whose connection is lost. Thread: that of all its clients.
class LockGroup {
public:
    explicit LockGroup(std::vector<Lock> members);

    [[nodiscard]] size_t size() const noexcept { return m_members.size(); }
    [[nodiscard]] Clock& clock() const noexcept { return *m_clock; }
    // The lease without one of the caller's own: the shortest of the clients' watchdog timeouts.
    [[nodiscard]] Milliseconds watchdogTimeout() const;
    // Whether there is still somebody to ask.
    [[nodiscard]] bool isAlive() const;
    // How long a command may take at the slowest member.
    [[nodiscard]] Milliseconds commandTimeout() const;

    [[nodiscard]] Task<Result<LockAttempt>> tryMember(size_t member, ThreadId thread, Deadline waitUntil,
                                                      std::optional<Milliseconds> lease, std::stop_token stop) const;
    // The lease of a member that is held, from now on. NotHeld when it is not any more.
    [[nodiscard]] Task<Result<Done>> setLease(size_t member, ThreadId thread, Milliseconds lease,
                                              std::stop_token stop) const;

    // What giving back has brought so far; the rest goes on by itself.
    struct Releases {
        std::vector<std::optional<Result<ReleaseOutcome>>> outcomes;
        size_t left = 0;
        Completion<Done> allDone;
    };
    // Of these members one hold each, for good and all at once: where a server cannot be reached, nothing renews the
    // hold any more, and it is settled when it is back.
    [[nodiscard]] std::shared_ptr<Releases> giveBack(std::vector<size_t> members, ThreadId thread) const;
    [[nodiscard]] std::vector<size_t> allMembers() const;
    // Runs as long as this member's client lives; not at all when it is gone.
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
