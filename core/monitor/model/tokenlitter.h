#pragma once

#include "base/clock.h"

namespace lockkeeper::monitor {

// Token keys of fenced locks that stay behind for ever: they have no TTL, and no release takes them away. Counted in a
// sample of the keyspace, during one sweep.
struct TokenLitter {
    quint64 sampledKeys = 0;  // about so many keys were gone through
    quint64 found = 0;        // token keys among them
    quint64 estimate = 0;     // so many in the whole database, if the sample is like the rest
    int checked = 0;          // of those found, looked at more closely
    int leftOver = 0;         // of those checked, without a TTL and without their lock
    WallTime at{};            // the end of the sweep

    // In such a number that they matter, and mostly of locks that nobody holds.
    [[nodiscard]] bool isLitter() const { return estimate >= many && 2 * leftOver > checked; }
    static constexpr quint64 many = 10'000;

    friend bool operator==(const TokenLitter&, const TokenLitter&) = default;
};

// The issue of redisson/redisson in which it was met.
constexpr int tokenLitterIssue = 6510;

}  // namespace lockkeeper::monitor
