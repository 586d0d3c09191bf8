#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QByteArrayList>

#include <utility>
#include <variant>
#include <vector>

namespace lockkeeper::monitor {

// What the server's keys of one lock said, before anybody makes sense of it.
struct RawLock {
    using Pairs = std::vector<std::pair<QByteArray, QByteArray>>;

    // A timeout key that is there.
    struct ReadLease {
        QByteArray reader;
        qint64 hold = 0;
        qint64 pttl = -1;
    };

    LockName name;
    Pairs fields;                       // of the hash; empty when there is none
    qint64 pttl = -2;                   // as PTTL answers: ms, -1 without expiry, -2 without key
    QByteArrayList queue;               // fair lock: the first waiters
    qint64 queueLength = 0;             // fair lock: all waiters
    Pairs deadlines;                    // fair lock: waiter, epoch ms as text
    std::optional<QByteArray> token;    // fenced lock
    std::vector<ReadLease> readLeases;  // read/write lock
    bool areLeasesWhole = false;        // all that were asked for were looked at
};

// Between which two moments the server looked.
struct LookTimes {
    SteadyTime sentAt{};
    SteadyTime heardAt{};
    WallTime heardAtWall{};
};

// A key that no Redisson client can have written as a lock; or one that nobody here can look into.
struct NotALock {
    QString why;
    bool isUnreadable = false;  // what was a lock before may be one still
};

// A lock, held or free, or something else.
using LockReading = std::variant<LockSnapshot, NotALock>;

// A hash with more fields than this is no lock: nobody has that many readers at once, and reading it would cost the
// server.
constexpr qint64 maxLockFields = 1024;
// The longest field of a lock is the `H:UUID:THREAD:expire_time` of a faster multi lock; the longest value is a holder.
constexpr qsizetype maxFieldBytes = 256;
constexpr qsizetype maxValueBytes = 64;
// Timeout keys of readers that one look asks for; who has more is shown without the rest of them.
constexpr qint64 maxReadLeases = 256;
// Readers of the look before that one look asks for again, after they have left.
constexpr qsizetype maxFormerReaders = 32;

// Pure. Kinds are what this one look proves; what earlier looks taught is the LockStore's.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockReading decodeLock(const RawLock& raw, const LookTimes& times);

}  // namespace lockkeeper::monitor
