// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/lockdialect.h"
#include "locks/namemapper.h"

namespace lockkeeper::locks {

// Redisson's RFairLock: waiters stand in a queue, each with its own deadline and its own channel.
class FairDialect final : public LockDialect {
public:
    // Reentry::Refused: Redisson's non-reentrant fair lock.
    explicit FairDialect(NameMapper names = NameMapper(), Reentry reentry = Reentry::Counted);

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const override;
    [[nodiscard]] ScriptCall force(const LockName& name) const override;
    [[nodiscard]] bool hasQueue() const override { return true; }
    [[nodiscard]] std::optional<ScriptCall> leaveQueue(const HoldKey& key, Milliseconds queuedFor) const override;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const override;
    [[nodiscard]] Result<LockAttempt> attemptOf(const HoldKey& key, const redis::RespValue& answer) const override;
    [[nodiscard]] QByteArrayList keysOf(const LockName& name) const override;

private:
    const NameMapper m_names;
    const redis::Script m_acquire;
    const redis::Script m_release = publishingScript({"give_back_one", "fair_queue", "fair_release"});
    const redis::Script m_settle = publishingScript({"settle_down", "fair_queue", "fair_settle"});
    const redis::Script m_force = publishingScript({"fair_queue", "fair_force"});
    const redis::Script m_leave = publishingScript({"fair_queue", "fair_leave"});
};

// The dialect without a name mapper, or with a mapper that also maps the names of the queues.
[[nodiscard]] const LockDialect& fairDialect();
[[nodiscard]] const LockDialect& nonReentrantFairDialect();

}  // namespace lockkeeper::locks
