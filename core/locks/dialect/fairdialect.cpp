// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/fairdialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

QByteArrayList keysOf(const LockName& name) {
    const LockKeys keys(name);
    return {keys.hash, keys.fairQueue, keys.fairTimeouts};
}

QByteArray digits(Milliseconds time) {
    return QByteArray::number(time.count());
}

}  // namespace

ScriptCall FairDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    const QByteArray keptFor = queueFor ? digits(*queueFor) : QByteArray();
    return {m_acquire, keysOf(key.name), {unlockChannel(key.name), digits(lease), key.holder.bytes(), keptFor}};
}

ScriptCall FairDialect::release(const HoldKey& key, Milliseconds lease) const {
    return {m_release, keysOf(key.name), {unlockChannel(key.name), digits(lease), key.holder.bytes()}};
}

ScriptCall FairDialect::settle(const HoldKey& key, qint64 believed) const {
    return {m_settle,
            keysOf(key.name),
            {unlockChannel(key.name), key.holder.bytes(), QByteArray::number(believed)}};
}

ScriptCall FairDialect::force(const LockName& name) const {
    return {m_force, keysOf(name), {unlockChannel(name)}};
}

std::optional<ScriptCall> FairDialect::leaveQueue(const HoldKey& key, Milliseconds queuedFor) const {
    return ScriptCall{m_leave, keysOf(key.name), {unlockChannel(key.name), key.holder.bytes(), digits(queuedFor)}};
}

std::optional<QByteArray> FairDialect::channel(const HoldKey& key) const {
    return LockKeys(key.name).fairWaiterChannel(key.holder);
}

const LockDialect& fairDialect() {
    static const FairDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
