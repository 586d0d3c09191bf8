// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QByteArrayList>

#include <utility>
#include <variant>
#include <vector>

namespace lockkeeper::monitor {

// What the keys of one lock contain, not decoded yet.
struct RawLock {
    using Pairs = std::vector<std::pair<QByteArray, QByteArray>>;

    // An existing timeout key.
    struct ReadLease {
        QByteArray reader;
        qint64 hold = 0;
        qint64 pttl = -1;
    };

    LockName name;
    Pairs fields;                       // of the hash; empty if there is none
    qint64 fieldCount = 0;              // if `fields` is only a part of a read lock's hash: all of them
    qint64 pttl = -2;                   // as PTTL answers: ms, -1 without expiry, -2 without key
    QByteArrayList queue;               // fair lock: the first waiters
    qint64 queueLength = 0;             // fair lock: all waiters
    Pairs deadlines;                    // fair lock: waiter, epoch ms as text
    std::optional<QByteArray> token;    // fenced lock
    std::vector<ReadLease> readLeases;  // read/write lock
    bool areLeasesWhole = false;        // all requested timeout keys were read
};

// The server made the read between these two moments.
struct ReadTimes {
    SteadyTime sentAt{};
    SteadyTime receivedAt{};
    WallTime receivedAtWall{};
};

// A key that no Redisson client can have written as a lock; or one that this user cannot read.
struct NotALock {
    bool isUnreadable = false;  // if it was a lock before, it may still be one
};

// A lock, held or free, or something else.
using LockReading = std::variant<LockSnapshot, NotALock>;

// Of a hash with more fields only a part is read, if it is a read lock, because all of it would be expensive for the
// server. Another one is taken for no lock.
constexpr qint64 maxLockFields = 1024;
// How many fields that part has.
constexpr qint64 partOfFields = 100;
// The longest field of a lock is `H:UUID:THREAD:expire_time` of a faster multi lock; the longest value is a holder.
constexpr qsizetype maxFieldBytes = 256;
constexpr qsizetype maxValueBytes = 64;
// Most timeout keys of readers in one read; further ones are not shown.
constexpr qint64 maxReadLeases = 256;
// Most readers of the read before that one read asks for again after they have left.
constexpr qsizetype maxFormerReaders = 32;

// Pure. The kind is what this one read proves; the LockStore adds what earlier reads proved.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockReading decodeLock(const RawLock& raw, const ReadTimes& times);

}  // namespace lockkeeper::monitor
