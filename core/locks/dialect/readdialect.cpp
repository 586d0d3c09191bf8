// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/readdialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ScriptCall ReadDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    const LockKeys keys(key.name);
    const HoldKey writer(key.name, key.holder, HoldMode::Write);
    return {m_acquire,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field(), writer.field()}};
}

ScriptCall ReadDialect::release(const HoldKey& key, Milliseconds lease) const {
    Q_UNUSED(lease)  // every hold has its own timeout key
    const LockKeys keys(key.name);
    return {m_release, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), key.field()}};
}

const LockDialect& readDialect() {
    static const ReadDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
