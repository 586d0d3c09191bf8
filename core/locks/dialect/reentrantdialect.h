// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/lockdialect.h"

namespace lockkeeper::locks {

// Redisson's RLock: one field that counts, and one message that wakes one waiter of each client.
class ReentrantDialect : public LockDialect {
public:
    // Reentry::Refused: Redisson's non-reentrant lock.
    explicit ReentrantDialect(Reentry reentry = Reentry::Counted);

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const override;
    [[nodiscard]] ScriptCall force(const LockName& name) const override;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const final;

protected:
    // The channel of the lock's releases; empty: the kind has no messages. The scripts get it as an argument: as a key
    // it would be missing, and the server would refuse the scripts while the slot moves.
    [[nodiscard]] virtual QByteArray channelOf(const LockName& name) const;

private:
    const redis::Script m_acquire;
    const redis::Script m_release = publishingScript({"give_back_one", "reentrant_release"});
    const redis::Script m_settle = publishingScript({"settle_down", "reentrant_settle"});
    const redis::Script m_force = publishingScript({"reentrant_force"});
};

[[nodiscard]] const LockDialect& reentrantDialect();
[[nodiscard]] const LockDialect& nonReentrantDialect();

}  // namespace lockkeeper::locks
