// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/readwritedialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ReadWriteDialect::ReadWriteDialect(HoldMode mode, const char* settleFile)
    : m_mode(mode), m_settle(publishingScript({"rw_holds", settleFile})) {}

ScriptCall ReadWriteDialect::settle(const HoldKey& key, qint64 believed) const {
    const LockKeys keys(key.name);
    return {
        m_settle, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), key.field(), QByteArray::number(believed)}};
}

ScriptCall ReadWriteDialect::force(const LockName& name) const {
    const LockKeys keys(name);
    const QByteArray mode = m_mode == HoldMode::Write ? QByteArrayLiteral("write") : QByteArrayLiteral("read");
    return {m_force, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), mode}};
}

std::optional<QByteArray> ReadWriteDialect::channel(const HoldKey& key) const {
    return LockKeys(key.name).rwChannel();
}

}  // namespace lockkeeper::locks
