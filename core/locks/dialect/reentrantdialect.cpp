// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/reentrantdialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

// Wakes one waiter of each client: core/locks/protocol.md, "Release".
const QByteArray wakeOne = QByteArrayLiteral("0");

}  // namespace

ReentrantDialect::ReentrantDialect(Reentry reentry)
    : LockDialect(reentry),
      m_acquire(reentry == Reentry::Counted ? script({"add_hold", "reentrant_acquire"})
                                            : script({"add_hold", "reentrant_once", "reentrant_acquire"})) {}

ScriptCall ReentrantDialect::acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    return {m_acquire, {key.name.bytes()}, {QByteArray::number(lease.count()), key.holder.bytes()}};
}

ScriptCall ReentrantDialect::release(const HoldKey& key, Milliseconds lease) const {
    return {m_release,
            {key.name.bytes()},
            {channelOf(key.name), wakeOne, QByteArray::number(lease.count()), key.holder.bytes()}};
}

ScriptCall ReentrantDialect::settle(const HoldKey& key, qint64 believed) const {
    return {
        m_settle, {key.name.bytes()}, {channelOf(key.name), wakeOne, key.holder.bytes(), QByteArray::number(believed)}};
}

ScriptCall ReentrantDialect::force(const LockName& name) const {
    return {m_force, {name.bytes()}, {channelOf(name), wakeOne}};
}

std::optional<QByteArray> ReentrantDialect::channel(const HoldKey& key) const {
    const QByteArray name = channelOf(key.name);
    return name.isEmpty() ? std::nullopt : std::optional(name);
}

QByteArray ReentrantDialect::channelOf(const LockName& name) const {
    return LockKeys(name).channel();
}

const LockDialect& reentrantDialect() {
    static const ReentrantDialect dialect;
    return dialect;
}

const LockDialect& nonReentrantDialect() {
    static const ReentrantDialect dialect(Reentry::Refused);
    return dialect;
}

}  // namespace lockkeeper::locks
