// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QByteArrayList>

#include <utility>
#include <variant>
#include <vector>

namespace lockkeeper::monitor {

// The undecoded content of the keys of one lock.
struct RawLock {
    using Pairs = std::vector<std::pair<QByteArray, QByteArray>>;

    // An existing timeout key.
    struct ReadLease {
        QByteArray reader;
        qint64 hold = 0;
        qint64 pttl = -1;
    };

    LockName name;
    Pairs fields;                       // fields of the hash; empty if there is no hash
    qint64 fieldCount = 0;              // only if `fields` is a part of a read lock's hash: the number of all fields
    qint64 pttl = -2;                   // as PTTL answers: ms, -1 without expiry, -2 without key
    QByteArrayList queue;               // fair lock: the first waiters
    qint64 queueLength = 0;             // fair lock: all waiters
    Pairs deadlines;                    // fair lock: waiter, epoch ms as text
    bool areDeadlinesWhole = false;     // all of them were read, at once with the queue
    std::optional<QByteArray> token;    // fenced lock
    std::vector<ReadLease> readLeases;  // read/write lock
    bool areLeasesWhole = false;        // all requested timeout keys were read
};

// The server made the read between these two times.
struct ReadTimes {
    SteadyTime sentAt{};
    SteadyTime receivedAt{};
    WallTime receivedAtWall{};
};

// A key that no Redisson client can have written as a lock; or a key that this user cannot read.
struct NotALock {
    bool isUnreadable = false;  // if it was a lock before, it may still be one
};

// A lock, held or free; or something else.
using LockReading = std::variant<LockSnapshot, NotALock>;

// The most fields of a hash that are read completely, because more would be expensive for the server. Of a larger read
// lock a part is read; any other larger hash counts as no lock.
constexpr qint64 maxLockFields = 1024;
// How many fields of a larger read lock are read.
constexpr qint64 partOfFields = 100;
// The longest field of a lock is `H:UUID:THREAD:expire_time` of a faster multi lock; the longest value is a holder.
constexpr qsizetype maxFieldBytes = 256;
constexpr qsizetype maxValueBytes = 64;
// The most timeout keys of readers in one read; further ones are not shown.
constexpr qint64 maxReadLeases = 256;
// The most former readers, of the read before, that one read asks for after they have left.
constexpr qsizetype maxFormerReaders = 32;

// Pure. The kind is what this one read proves; the LockStore adds what earlier reads have proved.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockReading decodeLock(const RawLock& raw, const ReadTimes& times);

}  // namespace lockkeeper::monitor
