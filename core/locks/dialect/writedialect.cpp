#include "locks/dialect/writedialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ScriptCall WriteDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    const LockKeys keys(key.name);
    return {m_acquire,
            {keys.hash, keys.rwChannel},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

ScriptCall WriteDialect::release(const HoldKey& key, Milliseconds lease) const {
    const LockKeys keys(key.name);
    return {m_release,
            {keys.hash, keys.rwChannel},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

ScriptCall WriteDialect::settle(const HoldKey& key, qint64 believed) const {
    const LockKeys keys(key.name);
    return {m_settle, {keys.hash, keys.rwChannel}, {keys.readTimeoutBase(), key.field(), QByteArray::number(believed)}};
}

ScriptCall WriteDialect::force(const LockName& name) const {
    const LockKeys keys(name);
    return {m_force, {keys.hash, keys.rwChannel}, {keys.readTimeoutBase(), QByteArrayLiteral("write")}};
}

std::optional<QByteArray> WriteDialect::channel(const HoldKey& key) const {
    return LockKeys(key.name).rwChannel;
}

const LockDialect& writeDialect() {
    static const WriteDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
