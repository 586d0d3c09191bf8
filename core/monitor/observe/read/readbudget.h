// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/tokenbucket.h"

#include <deque>

namespace lockkeeper::monitor {

// Limits what all reads of locks together cost the server. Every reader calls take() first; when the budget is used up,
// the callers are served in their order, so that discovery and observation share it. Thread: the clock's.
class LOCKKEEPER_MONITOR_EXPORT ReadBudget {
public:
    ReadBudget(Clock& clock, int readsPerSecond);
    ReadBudget(const ReadBudget&) = delete;
    ReadBudget& operator=(const ReadBudget&) = delete;

    // Completes when one read may be sent: at once, or in turn.
    [[nodiscard]] Completion<Done> take();

    [[nodiscard]] int perSecond() const noexcept { return m_perSecond; }
    // Reads granted during the last second.
    [[nodiscard]] double usedPerSecond() const;

private:
    // Reads are counted in slices of time, so that the cost does not grow with the budget.
    struct Slice {
        SteadyTime start{};
        int reads = 0;
    };

    void grantDue();
    void startTimer();
    void count(SteadyTime now);

    Clock& m_clock;
    const int m_perSecond;
    const TakeRate m_rate;
    TokenBucket m_bucket;
    std::deque<Completion<Done>> m_askers;
    std::deque<Slice> m_slices;
    ClockTimer m_timer{m_clock, [this] { grantDue(); }};
};

}  // namespace lockkeeper::monitor
