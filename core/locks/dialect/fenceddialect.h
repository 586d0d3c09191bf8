// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/reentrantdialect.h"

namespace lockkeeper::locks {

// Redisson's RFencedLock: a reentrant lock that returns a new token with every acquire; the last token outlives the
// lock.
class FencedDialect final : public ReentrantDialect {
public:
    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] Result<LockAttempt> attemptOf(const HoldKey& key, const redis::RespValue& answer) const override;
    [[nodiscard]] QByteArrayList keysOf(const LockName& name) const override;

private:
    const redis::Script m_acquire = script({"add_hold", "fenced_acquire"});
};

[[nodiscard]] const LockDialect& fencedDialect();

}  // namespace lockkeeper::locks
