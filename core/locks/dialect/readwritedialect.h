// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/lockdialect.h"

namespace lockkeeper::locks {

// What both halves of Redisson's RReadWriteLock share: one hash with a mode, one timeout key for every reading hold,
// and one channel.
class ReadWriteDialect : public LockDialect {
public:
    [[nodiscard]] HoldMode mode() const final { return m_mode; }
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const final;
    [[nodiscard]] ScriptCall force(const LockName& name) const final;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const final;

protected:
    ReadWriteDialect(HoldMode mode, const char* settleFile);

private:
    const HoldMode m_mode;
    const redis::Script m_settle;
    const redis::Script m_force = publishingScript({"rw_holds", "rw_force"});
};

}  // namespace lockkeeper::locks
