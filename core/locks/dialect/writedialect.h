#pragma once

#include "locks/dialect/lockdialect.h"

namespace lockkeeper::locks {

// The writing half of Redisson's RReadWriteLock: exclusive but for the readings of the writer itself.
class WriteDialect final : public LockDialect {
public:
    [[nodiscard]] HoldMode mode() const override { return HoldMode::Write; }
    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const override;
    [[nodiscard]] ScriptCall force(const LockName& name) const override;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const override;

private:
    const redis::Script m_acquire = script({"hold", "rw_holds", "write_acquire"});
    const redis::Script m_release = script({"rw_holds", "write_release"});
    const redis::Script m_settle = script({"rw_holds", "write_settle"});
    const redis::Script m_force = script({"rw_holds", "rw_force"});
};

[[nodiscard]] const LockDialect& writeDialect();

}  // namespace lockkeeper::locks
