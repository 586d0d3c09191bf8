#pragma once

#include "base/clock.h"

#include <optional>

namespace lockkeeper::locks {

// A fenced lock's token: grows with every acquire, so that a store can refuse a holder that was overtaken.
enum class FencingToken : qint64 {};

// How an attempt ended that did not fail. "Held by another" is an answer, not an error.
struct LockAttempt {
    enum class Outcome { Acquired, HeldByOther };
    Outcome outcome = Outcome::HeldByOther;
    // HeldByOther: what the holder's lease had left; nothing when the lock does not expire. In a fair lock's queue:
    // when it is worth looking again.
    std::optional<Milliseconds> remaining;
    // Acquired, and the lock is a fenced one.
    std::optional<FencingToken> token;

    [[nodiscard]] static LockAttempt taken() {
        LockAttempt attempt;
        attempt.outcome = Outcome::Acquired;
        return attempt;
    }
    // pttl: as Redis answers it, in ms; negative when the key does not expire or is gone.
    [[nodiscard]] static LockAttempt heldByOther(qint64 pttl) {
        LockAttempt attempt;
        if (pttl >= 0)
            attempt.remaining = Milliseconds(pttl);
        return attempt;
    }

    [[nodiscard]] bool acquired() const noexcept { return outcome == Outcome::Acquired; }
};

// StillHeld: this holder has holds left. Free: it has none; readers beside it may still hold theirs.
enum class ReleaseOutcome { StillHeld, Free };

}  // namespace lockkeeper::locks
