// SPDX-License-Identifier: Apache-2.0
#include "control/ownlocks.h"

#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"

namespace lockkeeper::control {

locks::Lock OwnLocks::lockOf(OwnLockKind kind, const LockName& key) const {
    const LockName name = m_client.options().nameMapper.inProgram(key);
    switch (kind) {
        case OwnLockKind::Reentrant:
            break;
        case OwnLockKind::Fair:
            return m_client.fairLock(name);
        case OwnLockKind::Fenced:
            return m_client.fencedLock(name);
        case OwnLockKind::Read:
            return m_client.readWriteLock(name).readLock();
        case OwnLockKind::Write:
            return m_client.readWriteLock(name).writeLock();
        case OwnLockKind::Spin:
            return m_client.spinLock(name);
        case OwnLockKind::NonReentrant:
            return m_client.nonReentrantLock(name);
        case OwnLockKind::NonReentrantFair:
            return m_client.nonReentrantFairLock(name);
    }
    return m_client.reentrantLock(name);
}

locks::HoldKey OwnLocks::keyOf(OwnLockKind kind, const LockName& key) const {
    return lockOf(kind, key).holdKey(thread);
}

void OwnLocks::noteTaken(const locks::HoldKey& key, OwnLockKind kind, std::optional<qint64> token) {
    const bool isFirst = m_client.hold(key).count == 1;
    m_taken.insert(key, Taken{isFirst ? kind : kindOf(key), token});
}

std::vector<locks::HoldKey> OwnLocks::keys() const {
    std::vector<locks::HoldKey> own = m_client.heldKeys();
    std::erase_if(own, [](const locks::HoldKey& key) { return key.holder.thread() != thread; });
    return own;
}

QList<OwnLock> OwnLocks::list() const {
    QList<OwnLock> own;
    for (const locks::HoldKey& key : keys()) {
        const locks::Hold hold = m_client.hold(key);
        OwnLock lock;
        lock.name = key.name;
        lock.holder = key.holder;
        lock.count = hold.count;
        lock.renewed = hold.renewal == locks::Renewal::Watchdog;
        lock.kind = kindOf(key);
        lock.token = m_taken.value(key).token;
        own.append(lock);
    }
    return own;
}

OwnLockKind OwnLocks::kindOf(const locks::HoldKey& key) const {
    if (key.mode == locks::HoldMode::Exclusive)
        return m_taken.value(key).kind;
    return key.mode == locks::HoldMode::Read ? OwnLockKind::Read : OwnLockKind::Write;
}

OwnLockKind OwnLocks::kindOf(const LockName& name) const {
    using enum locks::HoldMode;
    for (const locks::HoldMode mode : {Exclusive, Read, Write}) {
        const locks::HoldKey key(name, HolderId(m_client.id(), thread), mode);
        if (m_client.hold(key).count > 0)
            return kindOf(key);
    }
    return OwnLockKind::Reentrant;
}

Error OwnLocks::notHeld() const {
    return Error(ErrorCode::NotHeld, Cause::NotHolder,
                 {QString::fromLatin1(m_client.id().bytes()), QStringLiteral("1")});
}

OperationResult resultOf(const LockName& name, const Result<locks::ReleaseOutcome>& released) {
    if (!released)
        return failure(name, released.error());
    return resultOf(name, *released == locks::ReleaseOutcome::Free ? Outcome::Released : Outcome::ReleasedOnce);
}

}  // namespace lockkeeper::control
