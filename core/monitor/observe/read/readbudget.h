// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/tokenbucket.h"

#include <deque>
#include <functional>

namespace lockkeeper::monitor {

// Limits what all reads of locks together cost the server. Every reader calls take() first. When the budget is used up,
// the callers are served in their order, so that discovery and observation share it. Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT ReadBudget {
public:
    ReadBudget(Clock& clock, int readsPerSecond);
    ReadBudget(const ReadBudget&) = delete;
    ReadBudget& operator=(const ReadBudget&) = delete;

    // Completes when one read may be sent: at once, or in turn.
    [[nodiscard]] Completion<Done> take();

    [[nodiscard]] int perSecond() const noexcept { return m_perSecond; }
    void setPerSecond(int reads);
    // Whether callers wait for their turn.
    [[nodiscard]] bool isShort() const noexcept { return !m_askers.empty(); }
    // handler: called for each caller that has to wait; it must not ask for a read. Replaces an earlier handler.
    void whenShort(std::function<void()> handler) { m_whenShort = std::move(handler); }
    // Reads granted during the last second, and the highest limit during that second.
    [[nodiscard]] double usedPerSecond() const;
    [[nodiscard]] int limitOfLastSecond() const;

private:
    // Reads are counted in slices of time, so that the cost does not grow with the budget.
    struct Slice {
        SteadyTime start{};
        int reads = 0;
        int limit = 0;  // the highest limit during the slice, a second
    };

    void grantDue();
    void startTimer();
    void count(SteadyTime now);

    Clock& m_clock;
    const int m_burst;
    int m_perSecond;
    TakeRate m_rate;
    TokenBucket m_bucket;
    std::deque<Completion<Done>> m_askers;
    std::deque<Slice> m_slices;
    std::function<void()> m_whenShort;
    ClockTimer m_timer{m_clock, [this] { grantDue(); }};
};

}  // namespace lockkeeper::monitor
