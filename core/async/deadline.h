// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>

namespace lockkeeper {

// The point in steady time up to which a caller waits. Unlike a remaining time, a deadline can be passed from call to
// call without growing. Refers to its clock, which must outlive it.
class Deadline {
public:
    // For calls of an operator, and for waits that a stop token ends. Everywhere else pass a time.
    [[nodiscard]] static Deadline never(Clock& clock) { return {clock, SteadyTime::max()}; }
    [[nodiscard]] static Deadline in(Clock& clock, std::chrono::nanoseconds time) {
        const SteadyTime now = clock.now();
        return {clock, time >= SteadyTime::max() - now ? SteadyTime::max() : now + time};
    }

    [[nodiscard]] Clock& clock() const noexcept { return *m_clock; }
    [[nodiscard]] SteadyTime time() const noexcept { return m_time; }
    [[nodiscard]] bool isNever() const noexcept { return m_time == SteadyTime::max(); }
    [[nodiscard]] bool hasPassed() const { return !isNever() && m_clock->now() >= m_time; }
    [[nodiscard]] Deadline earlier(const Deadline& other) const { return m_time <= other.m_time ? *this : other; }

private:
    Deadline(Clock& clock, SteadyTime time) : m_clock(&clock), m_time(time) {}

    Clock* m_clock;
    SteadyTime m_time;
};

}  // namespace lockkeeper
