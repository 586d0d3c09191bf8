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
    [[nodiscard]] static redis::Script script(const QString& name) { return joined(QStringLiteral("rw_holds"), name); }

    const redis::Script m_acquire = script(QStringLiteral("read_acquire"));
    const redis::Script m_release = script(QStringLiteral("read_release"));
    const redis::Script m_settle = script(QStringLiteral("read_settle"));
    const redis::Script m_force = script(QStringLiteral("rw_force"));
};

[[nodiscard]] const LockDialect& readDialect();

}  // namespace lockkeeper::locks
