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
    enum class Outcome { Acquired, HeldByOther };
    Outcome outcome = Outcome::HeldByOther;
    // HeldByOther: the remaining lease of the holder; nothing if the lock does not expire. In a fair lock's queue:
    // after which time to try again.
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

    [[nodiscard]] bool acquired() const noexcept { return outcome == Outcome::Acquired; }
};

// StillHeld: this holder has holds left. Free: this holder has none; other readers may still hold theirs.
enum class ReleaseOutcome { StillHeld, Free };

}  // namespace lockkeeper::locks
