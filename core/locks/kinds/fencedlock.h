#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RFencedLock: every acquire, a reentry too, draws a token greater than all before it; LockAttempt::token
// has it. The last token stays on the server without a TTL, by Redisson's design.
class LOCKKEEPER_EXPORT FencedLock : public Lock {
public:
    FencedLock(LockClient& client, const LockName& name);

    // As lock(), with the token that was drawn.
    [[nodiscard]] Task<Result<FencingToken>> lockAndGetToken(ThreadId thread,
                                                             std::optional<Milliseconds> lease = std::nullopt,
                                                             std::stop_token stop = {}) const;
};

}  // namespace lockkeeper::locks
