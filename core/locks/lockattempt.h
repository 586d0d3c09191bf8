// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <optional>

namespace lockkeeper::locks {

// A fenced lock's token. It grows with every acquire, so that a storage can refuse a holder that lost the lock to
// another.
enum class FencingToken : qint64 {};

// The outcome of an attempt that did not fail. "Held by another" is an answer, not an error.
struct LockAttempt {
    // BehindOthers: a fair lock is free, and others are before this holder in its queue.
    enum class Outcome { Acquired, HeldByOther, BehindOthers };
    Outcome outcome = Outcome::HeldByOther;
    // HeldByOther: the remaining lease of the holder; nothing if the lock does not expire. BehindOthers: the time after
    // which to try again.
    std::optional<Milliseconds> remaining;
    // Set if a fenced lock was acquired.
    std::optional<FencingToken> token;

    [[nodiscard]] static LockAttempt taken() {
        LockAttempt attempt;
        attempt.outcome = Outcome::Acquired;
        return attempt;
    }
    // pttl: in ms, as Redis answers it; negative if the key does not expire or does not exist.
    [[nodiscard]] static LockAttempt heldByOther(qint64 pttl) {
        LockAttempt attempt;
        if (pttl >= 0)
            attempt.remaining = Milliseconds(pttl);
        return attempt;
    }

    [[nodiscard]] static LockAttempt behindOthers(Milliseconds pause) {
        LockAttempt attempt;
        attempt.outcome = Outcome::BehindOthers;
        attempt.remaining = pause;
        return attempt;
    }

    [[nodiscard]] bool acquired() const noexcept { return outcome == Outcome::Acquired; }
};

// How long a lock stays if nobody prolongs its lease.
struct RemainingTime {
    enum class State { Free, Expires, NeverExpires };
    State state = State::Free;
    Milliseconds left{0};  // only if it Expires

    // pttl: in ms, as Redis answers it: -1 for a key that does not expire, -2 for no key.
    [[nodiscard]] static RemainingTime ofPttl(qint64 pttl) {
        constexpr qint64 noExpiry = -1;
        if (pttl >= 0)
            return {State::Expires, Milliseconds(pttl)};
        return {pttl == noExpiry ? State::NeverExpires : State::Free, Milliseconds(0)};
    }

    friend bool operator==(const RemainingTime&, const RemainingTime&) = default;
};

// What Lock::remove() does with a lock that is held.
enum class Removal { OnlyIfFree, FreeFirst };
// Held: the lock is held, and nothing was removed.
enum class RemovalOutcome { Removed, NothingFound, Held };

// StillHeld: this holder has holds left. Free: this holder has none; other readers may still hold theirs.
enum class ReleaseOutcome { StillHeld, Free };

}  // namespace lockkeeper::locks
