// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

#include <memory>
#include <vector>

namespace lockkeeper::locks {

class LockGroup;

// Redisson's RMultiLock: several locks of any kinds, also of several clients on one thread, taken as one: all or none.
// Members are taken in the given order. A member with a lease is first taken for twice the remaining wait; when all are
// taken, each is set to the requested lease. Errors: those of a member; the members already taken are then released, as
// after a cancellation. A handle, which must not outlive its clients. Thread: that of its clients.
class LOCKKEEPER_EXPORT MultiLock {
public:
    // Needs at least one member.
    explicit MultiLock(std::vector<Lock> members);
    ~MultiLock();
    MultiLock(const MultiLock&) = default;
    MultiLock& operator=(const MultiLock&) = default;

    // HeldByOther names the remaining time of the member that could not be taken.
    [[nodiscard]] Task<Result<LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                    std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // Waits without a time limit, in rounds of 1500 ms for each member. Between rounds it holds none, so that two
    // callers that take the same locks in different order cannot block each other for ever.
    [[nodiscard]] Task<Result<Done>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                          std::stop_token stop = {}) const;
    // Whether this thread holds every member.
    [[nodiscard]] Task<Result<bool>> isHeldBy(ThreadId thread) const;
    // Releases one hold of every member. Fails with the first error of a member; the other members are released all the
    // same. NotAnnounced is returned only if there is no other error, because that member is released.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;

private:
    std::shared_ptr<const LockGroup> m_group;
};

}  // namespace lockkeeper::locks
