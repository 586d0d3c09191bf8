#pragma once

#include "async/completion.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/tokenbucket.h"

#include <deque>

namespace lockkeeper::monitor {

// What all reads of locks together may cost the server. Whoever wants to read asks first; when the budget is used up
// the askers are served in the order in which they came, so that discovery and observation share it. Thread: the
// clock's.
class LOCKKEEPER_MONITOR_EXPORT ReadBudget {
public:
    ReadBudget(Clock& clock, int readsPerSecond);
    ReadBudget(const ReadBudget&) = delete;
    ReadBudget& operator=(const ReadBudget&) = delete;
    ~ReadBudget();

    // Ends when one read may be sent: at once, or in its turn.
    [[nodiscard]] Completion<Done> take();

    [[nodiscard]] int perSecond() const noexcept { return m_perSecond; }
    // Reads granted during the last second.
    [[nodiscard]] double usedPerSecond() const;

private:
    // Counting in slices keeps the figure cheap however large the budget is.
    struct Slice {
        SteadyTime start{};
        int reads = 0;
    };

    void grantDue();
    void arm();
    void count(SteadyTime now);

    Clock& m_clock;
    const int m_perSecond;
    TokenBucket m_bucket;
    std::deque<Completion<Done>> m_askers;
    std::deque<Slice> m_slices;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::monitor
