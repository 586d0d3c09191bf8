// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "monitor/model/node.h"
#include "monitor/model/rare.h"

#include <QList>

#include <algorithm>
#include <memory>
#include <optional>

namespace lockkeeper::monitor {

// What the server's keys prove. A plain lock, a spin lock, a member of a multi lock and a fair lock without waiters
// have the same key: all are Reentrant until a helper key proves more. Unknown: certainly held, but in a form that this
// version cannot decode.
enum class LockKind { Unknown, Reentrant, Fair, ReadWrite, Fenced, FasterMulti };

enum class HoldMode { Exclusive, Read, Write };

struct Holder {
    HolderId id;
    HoldMode mode = HoldMode::Exclusive;
    qint64 count = 1;                // reentry count, from 1
    Rare<QByteArray> transaction{};  // the id of the transaction that holds the lock, if any; see HolderField

    // Compares everything but the count.
    [[nodiscard]] bool isSameAs(const Holder& other) const {
        return id == other.id && mode == other.mode && transaction == other.transaction;
    }
    friend bool operator==(const Holder&, const Holder&) = default;
};

// One entry of a fair lock's queue; the first is the head.
struct FairWaiter {
    HolderId id;
    std::optional<WallTime> deadline;  // by the server's clock
    bool hasNoDeadline = false;        // all deadlines were read together with the queue, and it has none

    friend bool operator==(const FairWaiter&, const FairWaiter&) = default;
};

// When a lease ends. The server reads its TTL between the sending of the command and the arrival of the answer, so the
// end lies between these two bounds.
struct Expiry {
    SteadyTime earliest{};
    SteadyTime latest{};

    friend bool operator==(const Expiry&, const Expiry&) = default;
};

// One hold of a reader. Each hold has its own timeout key, and so its own lease.
struct ReadLease {
    HolderId reader;
    qint64 hold = 1;               // the number in the key's name, from 1
    std::optional<Expiry> expiry;  // nothing: never expires

    friend bool operator==(const ReadLease&, const ReadLease&) = default;
};

// One value that a faster multi lock (Redisson 3.37+) locks; all its values are in one hash.
struct HeldValue {
    QByteArray value;
    HolderId owner;
    qint64 count = 1;
    std::optional<WallTime> expires;  // by the clock of the client that wrote it; Redisson leaves some expired values
                                      // in the hash

    friend bool operator==(const HeldValue&, const HeldValue&) = default;
};

// A field of a lock's hash, as it was read.
struct LockField {
    QByteArray name;
    QByteArray value;

    friend bool operator==(const LockField&, const LockField&) = default;
};

// Parts that only some kinds of lock have.
struct LockParts {
    QList<ReadLease> readLeases;  // including leases of readers that are not in the hash
    bool areLeasesWhole = false;  // the timeout keys of all holds of all readers were read, and one number beyond
    QList<HeldValue> values;
    qint64 moreHolders = 0;           // of a read lock with too many readers: the number of readers that were not read
    QList<LockField> otherProgram{};  // of a lock of another program: its whole hash, sorted

    friend bool operator==(const LockParts&, const LockParts&) = default;
};

// The state of one lock at one read; the read is atomic if the server allows it. A lock that does not exist has no
// holders.
struct LockSnapshot {
    LockName name;
    QList<Holder> holders;
    std::optional<Milliseconds> ttl;  // as read; nothing if free or without expiry
    std::optional<Expiry> expiry;     // when the lease ends if it is not renewed
    std::optional<int> waiters;       // waiting client instances; nothing if not known
    int monitorsAmongWaiters = 0;     // at most; above zero, `waiters` is an upper bound
    LockKind kind = LockKind::Unknown;
    QList<FairWaiter> fairQueue;
    std::optional<qint64> token;             // fenced lock: the last token that was issued
    std::shared_ptr<const LockParts> parts;  // of a read/write lock or a faster multi lock; often null
    NodePointer node;                        // the node where the lock was read, in a Cluster
    SteadyTime seenAt{};                     // when the answer was received
    WallTime seenAtWall{};

    [[nodiscard]] bool isHeld() const noexcept { return !holders.isEmpty(); }
    [[nodiscard]] bool isHeldBy(const HolderId& id) const {
        return std::any_of(holders.begin(), holders.end(), [&id](const Holder& holder) { return holder.id == id; });
    }
    // Whether it is in the queue of the lock, in the part that was read.
    [[nodiscard]] bool isQueued(const HolderId& id) const {
        return std::any_of(fairQueue.begin(), fairQueue.end(),
                           [&id](const FairWaiter& waiter) { return waiter.id == id; });
    }
    [[nodiscard]] QList<ReadLease> readLeases() const { return parts ? parts->readLeases : QList<ReadLease>(); }
    [[nodiscard]] QList<HeldValue> values() const { return parts ? parts->values : QList<HeldValue>(); }
    // Client instances that certainly wait, by the count of subscribers: a monitor subscribes like them.
    [[nodiscard]] int certainWaiters() const { return std::max(0, waiters.value_or(0) - monitorsAmongWaiters); }
    // Whether somebody certainly waits: queued, or counted.
    [[nodiscard]] bool isWaitedFor() const { return !fairQueue.isEmpty() || certainWaiters() > 0; }
    // Only the first part of a long queue is read: a waiter that is not in it may be further behind.
    [[nodiscard]] bool isQueueWhole() const { return fairQueue.isEmpty() || waiters.value_or(0) <= fairQueue.size(); }
    // Whether the lock has too many readers, so that `holders` names only some of them. Two such reads may name
    // different ones of the same readers.
    [[nodiscard]] bool isCut() const noexcept { return parts && parts->moreHolders > 0; }
    // Whether another program holds the lock, by rules that are not known: its holders have other names than
    // Redisson's, or its mode is none of Redisson's. The kind is then Unknown.
    [[nodiscard]] bool isOfOtherProgram() const noexcept { return parts && !parts->otherProgram.isEmpty(); }
    [[nodiscard]] QList<LockField> otherProgram() const { return parts ? parts->otherProgram : QList<LockField>(); }
    [[nodiscard]] qint64 holderCount() const { return holders.size() + (parts ? parts->moreHolders : 0); }
    // Whether the lock is held without a TTL, so that only an operator can free it. Never true for a faster multi lock,
    // which has its leases in its fields. An expiry without a TTL, as a trace leaves it, is not known.
    [[nodiscard]] bool neverExpires() const noexcept {
        return isHeld() && !ttl && !expiry && kind != LockKind::FasterMulti;
    }
};

}  // namespace lockkeeper::monitor
