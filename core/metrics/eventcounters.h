// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/figureoptions.h"

#include <array>

namespace lockkeeper::metrics {

// How a hold was released, and how it ended without a release.
enum class ReleasedHow { Announced, Unannounced, Inferred, Unknown };
inline constexpr std::array<const char*, 4> releasedWords{"announced", "unannounced", "inferred", "unknown"};
enum class LostHow { Expired, Deleted, TakenOver };
inline constexpr std::array<const char*, 3> lostWords{"expired", "deleted", "taken_over"};

// What the events of one group's locks have shown since the exporter was started. A value; it only grows.
struct EventCounters {
    explicit EventCounters(const FigureOptions& options) : holds(options.holdBuckets), waits(options.waitBuckets) {}

    quint64 acquired = 0;
    std::array<quint64, releasedWords.size()> released{};
    quint64 messages = 0;
    quint64 expired = 0;
    quint64 renewals = 0;
    quint64 handedOver = 0;
    std::array<quint64, lostWords.size()> lost{};
    Histogram holds;
    Histogram waits;

    void count(ReleasedHow how) { ++released[static_cast<size_t>(how)]; }
    void count(LostHow how) { ++lost[static_cast<size_t>(how)]; }
};

}  // namespace lockkeeper::metrics
