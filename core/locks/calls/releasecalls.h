// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "locks/calls/leasecommand.h"

namespace lockkeeper::locks {

// The coroutines that release locks; the counterpart of LockCalls. Thread: the client's.
class ReleaseCalls {
public:
    [[nodiscard]] static Task<Result<ReleaseOutcome>> unlock(LockTarget target);
    [[nodiscard]] static Task<Result<bool>> forceUnlock(LockTarget target);
    [[nodiscard]] static Task<Result<RemovalOutcome>> remove(LockTarget target, Removal removal);
    // As unlock(), for a hold that the caller no longer needs. If the server cannot be reached, the hold is no longer
    // renewed, and it is reconciled when the server is reachable again.
    [[nodiscard]] static Task<Result<ReleaseOutcome>> giveBack(LockTarget target);

private:
    // The state at the beginning of a release.
    struct Release {
        LockTarget target;
        qint64 believed;  // how many holds this client believed to have
        Milliseconds lease;
        Milliseconds stay;  // for how long the server may keep the holds
        SteadyTime deadline;
        LeaseTicket ticket;
    };

    static Release begin(const LockTarget& target);
    static Result<ReleaseOutcome> outcomeOf(const Release& release, const redis::RespValue& answer);
    static void onReleasedOnce(const Release& release);
    static void onLate(const LockTarget& target, Milliseconds stay, const Result<redis::RespValue>& late);
    static Error failed(const Release& release, const Error& failure);
};

}  // namespace lockkeeper::locks
