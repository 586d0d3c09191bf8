// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/lock.h"

namespace lockkeeper::locks {

// Shared by readers. forceUnlock() removes all readers; it does nothing while the lock is held for writing.
class LOCKKEEPER_EXPORT ReadLock : public Lock {
public:
    ReadLock(LockClient& client, const LockName& name);
};

// forceUnlock() does nothing while the lock is held for reading. A reentry adds its lease to the TTL.
class LOCKKEEPER_EXPORT WriteLock : public Lock {
public:
    WriteLock(LockClient& client, const LockName& name);
};

// Redisson's RReadWriteLock. A writer may also read, and keeps its read lock when it releases the write lock. A reader
// must release its read lock before it takes the write lock; otherwise it waits for itself.
class LOCKKEEPER_EXPORT ReadWriteLock {
public:
    ReadWriteLock(LockClient& client, const LockName& name) : m_client(&client), m_name(name) {}

    [[nodiscard]] ReadLock readLock() const { return ReadLock(*m_client, m_name); }
    [[nodiscard]] WriteLock writeLock() const { return WriteLock(*m_client, m_name); }
    [[nodiscard]] const LockName& name() const noexcept { return m_name; }

private:
    LockClient* m_client;
    LockName m_name;
};

}  // namespace lockkeeper::locks
