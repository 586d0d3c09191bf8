// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/readwritedialect.h"

namespace lockkeeper::locks {

// The writing half of Redisson's RReadWriteLock: exclusive, except that the writer itself may also read.
class WriteDialect final : public ReadWriteDialect {
public:
    WriteDialect() : ReadWriteDialect(HoldMode::Write, "write_settle") {}

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;

private:
    const redis::Script m_acquire = publishingScript({"add_hold", "rw_holds", "write_acquire"});
    const redis::Script m_release = publishingScript({"rw_holds", "write_release"});
};

[[nodiscard]] const LockDialect& writeDialect();

}  // namespace lockkeeper::locks
