// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::monitor {

// Token keys of fenced locks that stay for ever: they have no TTL, and a release does not delete them. Counted in a
// sample of the keyspace during one sweep.
struct TokenLitter {
    quint64 sampledKeys = 0;  // approximate size of the sample
    quint64 found = 0;        // token keys among them
    quint64 estimate = 0;     // number in the whole database, if the sample is representative
    int checked = 0;          // how many of those found were examined
    int leftOver = 0;         // how many of those checked have no TTL and no lock
    WallTime at{};            // end of the sweep

    // Whether there are enough tokens to matter, and most of them belong to locks that are not held.
    [[nodiscard]] bool isLitter() const { return estimate >= many && 2 * leftOver > checked; }
    static constexpr quint64 many = 10'000;

    friend bool operator==(const TokenLitter&, const TokenLitter&) = default;
};

// Sets of leases of permits ({NAME}:timeout) that stay for ever, because they have no TTL and their semaphore was
// deleted. A sweep finds all of them. If there are many, some are examined.
struct LeaseLitter {
    quint64 found = 0;  // sets of leases in the whole database
    int checked = 0;    // how many of them were examined
    int leftOver = 0;   // how many of those checked have no semaphore
    WallTime at{};      // when they were examined

    [[nodiscard]] quint64 estimate() const {
        return checked > 0 ? found * static_cast<quint64>(leftOver) / static_cast<quint64>(checked) : 0;
    }
    [[nodiscard]] bool isLitter() const { return estimate() >= many; }
    static constexpr quint64 many = TokenLitter::many;
    static constexpr int mostChecked = 20;  // in one sweep, by two commands each

    friend bool operator==(const LeaseLitter&, const LeaseLitter&) = default;
};

// The redisson/redisson issue that reports the tokens.
constexpr int tokenLitterIssue = 6510;

}  // namespace lockkeeper::monitor
