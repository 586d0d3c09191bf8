// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/snapshotcompare.h"
#include "monitor/model/throughput.h"

#include <array>
#include <deque>

namespace lockkeeper::monitor {

// Adds up the last seconds of one busy lock, read by read. Less than 3 KiB, however busy the lock is. A value.
class LOCKKEEPER_MONITOR_EXPORT ThroughputMeter {
public:
    // The shortest window. The real one is up to a span longer, because it begins with a read; for a lock that was read
    // late it is even longer.
    static constexpr Milliseconds window{10'000};
    static constexpr int fewestAcquisitions = 5;  // in the window: a lock with fewer is not busy
    static constexpr int fewestForMedian = 10;    // holds
    static constexpr int fewestForNinetyNinth = 100;

    // Adds the time between two reads, which must be without a gap.
    void add(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
             const BetweenReads& between);
    // The throughput as of the last read; nothing if the lock is not busy, or was watched for too short a time.
    [[nodiscard]] std::optional<Throughput> reading() const;
    // When a hold of the lock was last seen to begin or end.
    [[nodiscard]] SteadyTime lastActive() const noexcept { return m_lastActive; }

private:
    // The sum of several successive reads.
    struct Span {
        SteadyTime begin{};
        SteadyTime end{};
        std::chrono::microseconds held{0};         // certainly
        std::chrono::microseconds sampled{0};      // by the state at its end, see reads
        std::chrono::microseconds sampledHeld{0};  // a part of `sampled`
        quint32 releases = 0;
        quint32 acquisitions = 0;
        quint32 reads = 0;
        bool silent = false;  // there may have been a release without a message
    };

    static void addTime(Span& span, const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);
    Span& spanUpTo(SteadyTime begin, SteadyTime end);
    void measureHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                     const BetweenReads& between);
    void addHold(std::chrono::microseconds hold);
    [[nodiscard]] static std::optional<Throughput::Share> heldShare(const Span& whole);
    void addHolds(Throughput& sum) const;

    std::deque<Span> m_spans;
    std::array<quint32, 128> m_holds{};  // microseconds; a ring
    int m_holdCount = 0;
    int m_nextHold = 0;
    std::optional<SteadyTime> m_holdBegan;  // of the present hold, if its begin was reported
    SteadyTime m_lastActive{};
    WallTime m_until{};
};

}  // namespace lockkeeper::monitor
