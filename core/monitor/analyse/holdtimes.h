// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <array>

namespace lockkeeper::monitor {

// The durations of the last few holds of a lock.
class LOCKKEEPER_MONITOR_EXPORT HoldTimes {
public:
    static constexpr int capacity = 8;

    void add(Milliseconds hold);
    [[nodiscard]] int count() const noexcept { return m_count; }
    // Zero if there are no holds.
    [[nodiscard]] Milliseconds median() const;
    [[nodiscard]] Milliseconds longest() const;

private:
    std::array<Milliseconds, capacity> m_holds{};
    int m_count = 0;
    int m_next = 0;
};

}  // namespace lockkeeper::monitor
