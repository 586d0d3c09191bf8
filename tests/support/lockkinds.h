// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"

namespace lockkeeper::test {

enum class Kind { Reentrant, Fair, Fenced, Spin, Read, Write, Multi, Red, NonReentrant, NonReentrantFair };

// Only for kinds that are a single lock, not made of several.

inline locks::Lock lockOf(locks::LockClient& client, Kind kind, const LockName& name) {
    switch (kind) {
        case Kind::Fair:
            return client.fairLock(name);
        case Kind::Fenced:
            return client.fencedLock(name);
        case Kind::Spin:
            return client.spinLock(name);
        case Kind::Read:
            return client.readWriteLock(name).readLock();
        case Kind::Write:
            return client.readWriteLock(name).writeLock();
        case Kind::Reentrant:
            return client.reentrantLock(name);
        case Kind::NonReentrant:
            return client.nonReentrantLock(name);
        case Kind::NonReentrantFair:
            return client.nonReentrantFairLock(name);
        case Kind::Multi:
        case Kind::Red:
            break;
    }
    qFatal("not one lock");
}

}  // namespace lockkeeper::test

Q_DECLARE_METATYPE(lockkeeper::test::Kind)
