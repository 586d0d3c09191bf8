// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <array>
#include <chrono>
#include <optional>

namespace lockkeeper::monitor {

// Limits for all reads of locks on one server together.
struct ReadLimits {
    int perSecond = 2000;      // in any case
    int mostPerSecond = 2000;  // while the server answers as fast as ever
};

// How many reads a second a server gets while some wait for their turn. The number rises step by step above perSecond
// while the server answers as fast as ever, and falls to perSecond after four slow answers in a row. Uses no clock; the
// caller measures the times.
class LOCKKEEPER_MONITOR_EXPORT ReadPace {
public:
    explicit ReadPace(ReadLimits limits) : m_limits(limits), m_perSecond(limits.perSecond) {}

    [[nodiscard]] int perSecond() const noexcept { return m_perSecond; }
    [[nodiscard]] int always() const noexcept { return m_limits.perSecond; }
    [[nodiscard]] bool mayGrow() const noexcept { return m_limits.mostPerSecond > m_limits.perSecond; }
    // roundTrip: of a command that costs the server nothing.
    void addRoundTrip(std::chrono::nanoseconds roundTrip);
    // Whether the round trip is slower than the shortest one allows.
    [[nodiscard]] bool isSlow(std::chrono::nanoseconds roundTrip) const;
    // No read waits any more. The next reads begin slowly.
    void rest();
    // There is another connection, whose network has other round trips.
    void startOver();

private:
    const ReadLimits m_limits;
    int m_perSecond;
    // The shortest of these counts, because a disturbance only makes a round trip longer.
    std::array<std::chrono::nanoseconds, 4> m_last{};
    size_t m_measured = 0;
    std::optional<std::chrono::nanoseconds> m_shortest;  // on this connection
};

}  // namespace lockkeeper::monitor
