#pragma once

#include "locks/dialect/lockdialect.h"

namespace lockkeeper::locks {

// The reading half of Redisson's RReadWriteLock: shared, with a timeout key for every hold.
class ReadDialect final : public LockDialect {
public:
    [[nodiscard]] HoldMode mode() const override { return HoldMode::Read; }
    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const override;
    [[nodiscard]] ScriptCall force(const LockName& name) const override;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const override;

private:
    const redis::Script m_acquire = script({"hold", "rw_holds", "read_acquire"});
    const redis::Script m_release = script({"rw_holds", "read_release"});
    const redis::Script m_settle = script({"rw_holds", "read_settle"});
    const redis::Script m_force = script({"rw_holds", "rw_force"});
};

[[nodiscard]] const LockDialect& readDialect();

}  // namespace lockkeeper::locks
