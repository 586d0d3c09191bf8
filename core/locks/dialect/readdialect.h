// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/readwritedialect.h"

namespace lockkeeper::locks {

// The reading half of Redisson's RReadWriteLock: shared, with one timeout key for every hold.
class ReadDialect final : public ReadWriteDialect {
public:
    ReadDialect() : ReadWriteDialect(HoldMode::Read, "read_settle") {}

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;

private:
    const redis::Script m_acquire = publishingScript({"add_hold", "rw_holds", "read_acquire"});
    const redis::Script m_release = publishingScript({"rw_holds", "read_release"});
};

[[nodiscard]] const LockDialect& readDialect();

}  // namespace lockkeeper::locks
