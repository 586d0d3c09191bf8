// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

namespace lockkeeper::locks {

// A holder may have three modes of holds on one name: that of an exclusive lock, and both of a read/write lock.
enum class HoldMode { Exclusive, Read, Write };

// The holds of one lock by one holder.
struct LOCKKEEPER_EXPORT HoldKey {
    LockName name;
    HolderId holder;
    HoldMode mode;

    HoldKey(LockName lockName, HolderId holderId, HoldMode holdMode = HoldMode::Exclusive)
        : name(std::move(lockName)), holder(std::move(holderId)), mode(holdMode) {}

    // The field of the lock's hash that counts these holds.
    [[nodiscard]] QByteArray field() const;

    friend bool operator==(const HoldKey&, const HoldKey&) = default;
    // The client's id is not hashed: all holds of one client share it, and this runs several times for each command.
    friend size_t qHash(const HoldKey& key, size_t seed = 0) noexcept {
        return qHashMulti(seed, key.name, static_cast<qint64>(key.holder.thread()), static_cast<int>(key.mode));
    }
};

// For the containers of the standard library.
struct HoldKeyHash {
    size_t operator()(const HoldKey& key) const noexcept { return qHash(key); }
};

enum class Renewal { FixedLease, Watchdog };

// Why a client no longer holds a lock that it believed to hold.
enum class LossReason {
    LeaseExpired,  // without a renewal
    TakenAway,     // a renewal found that the server no longer names this holder: Gone or TakenOver
    Gone,      // the lock is free, or this reader is not among the readers, although its lease should last: deleted,
               // released by force, or expired by a clock of the server that has jumped or runs faster
    TakenOver  // another holder has the lock, or its name is used for something else
};

// How a client learns that a lock was taken from it.
enum class LossDetection {
    Tracking,    // at once: the server reports a change of the locks that are held
    RenewalOnly  // by the next renewal: the server refuses to report changes (no right to CLIENT TRACKING, a proxy,
                 // RESP2), or refuses a read of a lock that may have changed. A lock with a fixed lease is read as
                 // often as others are renewed, and a read lock with a fixed lease each second
};

// What a client believes about a lock that it took. The belief ends at the deadline in any case.
struct Hold {
    qint64 count = 0;
    // Counted from before the sending of the command that set the TTL. If several commands may have set it, the
    // earliest value counts. So the deadline is never later than the server's.
    SteadyTime deadline{};
    Milliseconds lease{0};  // the TTL that a partial release sets
    Renewal renewal = Renewal::FixedLease;
};

}  // namespace lockkeeper::locks
