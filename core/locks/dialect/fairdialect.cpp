// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/fairdialect.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

QByteArray digits(Milliseconds time) {
    return QByteArray::number(time.count());
}

// A Redisson client that leaves the queue of a free lock sends no message, so the waiters behind it try again: the
// second in the queue after a second, each further one a second later than the one before.
Milliseconds pauseAt(qint64 place) {
    return std::chrono::seconds(std::max<qint64>(place - 1, 1));
}

}  // namespace

FairDialect::FairDialect(NameMapper names, Reentry reentry)
    : LockDialect(reentry),
      m_names(std::move(names)),
      m_acquire(reentry == Reentry::Counted
                    ? publishingScript({"add_hold", "fair_queue", "fair_acquire"})
                    : publishingScript({"add_hold", "fair_queue", "fair_once", "fair_acquire"})) {}

QByteArrayList FairDialect::keysOf(const LockName& name) const {
    const bool isMapped = m_names.fairQueue == NameMapper::FairQueue::Mapped;
    const LockKeys queue(isMapped ? name : m_names.inProgram(name));
    return {name.bytes(), queue.fairQueue(), queue.fairTimeouts()};
}

ScriptCall FairDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    const QByteArray keptFor = queueFor ? digits(*queueFor) : QByteArray();
    return {m_acquire, keysOf(key.name), {LockKeys(key.name).channel(), digits(lease), key.holder.bytes(), keptFor}};
}

ScriptCall FairDialect::release(const HoldKey& key, Milliseconds lease) const {
    return {m_release, keysOf(key.name), {LockKeys(key.name).channel(), digits(lease), key.holder.bytes()}};
}

ScriptCall FairDialect::settle(const HoldKey& key, qint64 believed) const {
    return {
        m_settle, keysOf(key.name), {LockKeys(key.name).channel(), key.holder.bytes(), QByteArray::number(believed)}};
}

ScriptCall FairDialect::force(const LockName& name) const {
    return {m_force, keysOf(name), {LockKeys(name).channel()}};
}

std::optional<ScriptCall> FairDialect::leaveQueue(const HoldKey& key, Milliseconds queuedFor) const {
    return ScriptCall{m_leave, keysOf(key.name), {LockKeys(key.name).channel(), key.holder.bytes(), digits(queuedFor)}};
}

std::optional<QByteArray> FairDialect::channel(const HoldKey& key) const {
    return LockKeys(key.name).fairWaiterChannel(key.holder);
}

Result<LockAttempt> FairDialect::attemptOf(const HoldKey& key, const redis::RespValue& answer) const {
    const bool isFree = answer.items.size() == 1 && answer.items.front().isInteger();
    return isFree ? LockAttempt::behindOthers(pauseAt(answer.items.front().integer))
                  : LockDialect::attemptOf(key, answer);
}

const LockDialect& fairDialect() {
    static const FairDialect dialect;
    return dialect;
}

const LockDialect& nonReentrantFairDialect() {
    static const FairDialect dialect(NameMapper(), Reentry::Refused);
    return dialect;
}

}  // namespace lockkeeper::locks
