// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Redisson's RFencedLock: every acquire, also a reentry, returns a token greater than all before it, in
// LockAttempt::token. As in Redisson, the last token stays on the server without a TTL.
class LOCKKEEPER_EXPORT FencedLock : public Lock {
public:
    FencedLock(LockClient& client, const LockName& name);

    // As lock(), and returns the new token.
    [[nodiscard]] Task<Result<FencingToken>> lockAndGetToken(ThreadId thread,
                                                             std::optional<Milliseconds> lease = std::nullopt,
                                                             std::stop_token stop = {}) const;
    // The token of the last acquire by any holder, also after its release; nothing if there was none.
    [[nodiscard]] Task<Result<std::optional<FencingToken>>> token() const;
};

}  // namespace lockkeeper::locks
