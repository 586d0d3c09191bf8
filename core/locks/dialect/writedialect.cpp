// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/writedialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ScriptCall WriteDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    const LockKeys keys(key.name);
    return {m_acquire,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

ScriptCall WriteDialect::release(const HoldKey& key, Milliseconds lease) const {
    const LockKeys keys(key.name);
    return {m_release,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

const LockDialect& writeDialect() {
    static const WriteDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
