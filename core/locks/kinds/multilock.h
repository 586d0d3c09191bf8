#pragma once

#include "locks/kinds/lock.h"

#include <vector>

namespace lockkeeper::locks {

class LockGroup;

// Redisson's RMultiLock: several locks of any kinds, also of several clients on one thread, taken as one: all or none.
// Members are taken in the order given. While they are, one with a lease is taken for twice the time that may be
// waited, and all are set to the lease at the end. Errors: those of a member; what was taken is then given back, as on
// cancellation. A handle, which must not outlive its clients. Thread: that of its clients.
class LOCKKEEPER_EXPORT MultiLock {
public:
    // At least one member.
    explicit MultiLock(std::vector<Lock> members);
    ~MultiLock();
    MultiLock(const MultiLock&) = default;
    MultiLock& operator=(const MultiLock&) = default;

    // HeldByOther names the time of the member that was not got.
    [[nodiscard]] Task<Result<LockAttempt>> tryLock(ThreadId thread, Deadline waitUntil,
                                                    std::optional<Milliseconds> lease = std::nullopt,
                                                    std::stop_token stop = {}) const;
    // Waits for as long as it takes, in rounds of 1500 ms a member: between them it holds none, so that two who take
    // the same locks in another order do not wait for each other without end.
    [[nodiscard]] Task<Result<Done>> lock(ThreadId thread, std::optional<Milliseconds> lease = std::nullopt,
                                          std::stop_token stop = {}) const;
    // One hold of every member. Fails with the first error of a member; the others are given back all the same.
    [[nodiscard]] Task<Result<ReleaseOutcome>> unlock(ThreadId thread) const;

private:
    std::shared_ptr<const LockGroup> m_group;
};

}  // namespace lockkeeper::locks
