// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <array>
#include <chrono>
#include <optional>

namespace lockkeeper::monitor {

// Of all reads of locks on one server together.
struct ReadLimits {
    int perSecond = 2000;      // whatever the server does
    int mostPerSecond = 2000;  // while it answers as fast as ever
};

// How many reads a second a server gets while some wait for their turn: step by step more than perSecond, as long as it
// answers as fast as ever, and only perSecond after four slow answers in a row. Uses no clock; the caller measures the times.
class LOCKKEEPER_MONITOR_EXPORT ReadPace {
public:
    explicit ReadPace(ReadLimits limits) : m_limits(limits), m_perSecond(limits.perSecond) {}

    [[nodiscard]] int perSecond() const noexcept { return m_perSecond; }
    [[nodiscard]] bool mayGrow() const noexcept { return m_limits.mostPerSecond > m_limits.perSecond; }
    // Of a command that costs the server nothing.
    void addRoundTrip(std::chrono::nanoseconds roundTrip);
    // A round trip of at least this is slower than the shortest one allows.
    [[nodiscard]] bool isSlow(std::chrono::nanoseconds roundTrip) const;
    // No read waits any more: the next ones begin slowly.
    void rest();
    // Another connection: its network has other times.
    void startOver();

private:
    const ReadLimits m_limits;
    int m_perSecond;
    // Of these the shortest counts: a disturbance only makes a round trip longer.
    std::array<std::chrono::nanoseconds, 4> m_last{};
    size_t m_measured = 0;
    std::optional<std::chrono::nanoseconds> m_shortest;  // of this connection
};

}  // namespace lockkeeper::monitor
