#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QList>

#include <algorithm>
#include <memory>
#include <optional>

namespace lockkeeper::monitor {

// What the server's keys prove. A plain lock, a spin lock, a member of a multi lock and a fair lock that nobody waits for look alike:
// all are Reentrant until a helper key tells more. Unknown: certainly held, in a form this version does not take apart.
enum class LockKind { Unknown, Reentrant, Fair, ReadWrite, Fenced, FasterMulti };

enum class HoldMode { Exclusive, Read, Write };

struct Holder {
    HolderId id;
    HoldMode mode = HoldMode::Exclusive;
    qint64 count = 1;  // reentry count, from 1

    friend bool operator==(const Holder&, const Holder&) = default;
};

// One who waits in a fair lock's queue, first in front.
struct FairWaiter {
    HolderId id;
    std::optional<WallTime> deadline;  // by the server's clock

    friend bool operator==(const FairWaiter&, const FairWaiter&) = default;
};

// A moment of the server's own steady time, as well as an observer can know it: a TTL was read between sending the read and
// hearing its answer, so the moment it ends at lies between the two.
struct Expiry {
    SteadyTime earliest{};
    SteadyTime latest{};

    friend bool operator==(const Expiry&, const Expiry&) = default;
};

// One hold of a reader: each has a timeout key of its own, and with it a lease of its own.
struct ReadLease {
    HolderId reader;
    qint64 hold = 1;               // the key's number, from 1
    std::optional<Expiry> expiry;  // nothing: without expiry

    friend bool operator==(const ReadLease&, const ReadLease&) = default;
};

// One value that a faster multi lock (Redisson 3.37+) locks: it keeps all its values in one hash.
struct HeldValue {
    QByteArray value;
    HolderId owner;
    qint64 count = 1;
    std::optional<WallTime> expires;  // by the clock of whoever wrote it; some that have run out are left standing

    friend bool operator==(const HeldValue&, const HeldValue&) = default;
};

// What only some kinds of locks have.
struct LockParts {
    QList<ReadLease> readLeases;  // also of readers that are no holders
    bool areLeasesWhole = false;  // every hold of every reader was looked at, and one beyond
    QList<HeldValue> values;

    friend bool operator==(const LockParts&, const LockParts&) = default;
};

// One lock at one look; decoded from one atomic read where the server can do that. A lock that is not there has no holders.
struct LockSnapshot {
    LockName name;
    LockKind kind = LockKind::Unknown;
    QList<Holder> holders;
    std::optional<Milliseconds> ttl;  // as read; nothing when free or without expiry
    std::optional<Expiry> expiry;     // when the lease ends if nobody renews it
    std::optional<int> waiters;       // client instances that wait; nothing when not known
    QList<FairWaiter> fairQueue;
    std::optional<qint64> token;  // fenced lock: the last token given
    std::shared_ptr<const LockParts> parts;  // of a read/write or a faster multi lock; often none
    SteadyTime seenAt{};          // when the answer was heard
    WallTime seenAtWall{};

    [[nodiscard]] bool isHeld() const noexcept { return !holders.isEmpty(); }
    [[nodiscard]] bool isHeldBy(const HolderId& id) const {
        return std::any_of(holders.begin(), holders.end(), [&id](const Holder& holder) { return holder.id == id; });
    }
    [[nodiscard]] QList<ReadLease> readLeases() const { return parts ? parts->readLeases : QList<ReadLease>(); }
    [[nodiscard]] QList<HeldValue> values() const { return parts ? parts->values : QList<HeldValue>(); }
    // Held, and nothing but an operator will ever free it. A faster multi lock keeps its leases in its fields.
    [[nodiscard]] bool neverExpires() const noexcept { return isHeld() && !ttl && kind != LockKind::FasterMulti; }
};

}  // namespace lockkeeper::monitor
