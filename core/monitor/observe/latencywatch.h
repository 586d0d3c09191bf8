// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/observe/read/readbudget.h"
#include "monitor/observe/read/readpace.h"
#include "platform/threadtime.h"
#include "redis/connection.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockkeeper::monitor {

// Measures how fast the server answers, by a PING every 50 ms while reads of locks wait for their turn or need more
// than is always allowed, and adjusts the budget. Otherwise it sends nothing. Thread: the connection's. Connection and
// budget must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LatencyWatch : public QObject {
public:
    static constexpr Milliseconds interval{50};

    // mayGrow: whether the queue of reads will end, so that the budget may grow for it. threadTime: the CPU time that
    // this thread has taken.
    LatencyWatch(redis::Connection& connection, ReadBudget& budget, ReadLimits limits, std::function<bool()> mayGrow,
                 std::function<std::chrono::nanoseconds()> threadTime = platform::threadTime);
    ~LatencyWatch() override { m_budget.whenShort({}); }

private:
    struct Asked {
        SteadyTime at;
        std::chrono::nanoseconds threadTime;
    };

    void measure();
    [[nodiscard]] bool needsMore() const;
    void ask();
    [[nodiscard]] std::chrono::nanoseconds awaited() const;
    void setPace();

    redis::Connection& m_connection;
    ReadBudget& m_budget;
    ReadPace m_pace;
    ClockTimer m_timer;
    const std::function<bool()> m_mayGrow;
    const std::function<std::chrono::nanoseconds()> m_threadTime;
    std::optional<Asked> m_asked;  // only while an answer is awaited
    bool m_wasShort = false;       // reads have waited since the last measurement
    int m_rested = 0;              // measurements in a row that were not made, because so many reads are always allowed
};

}  // namespace lockkeeper::monitor
