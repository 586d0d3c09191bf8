// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace lockkeeper::metrics {

// Every family of metrics, in the order in which they are written.
enum class Metric {
    BuildInfo,
    Up,
    Complete,
    NodeUp,
    NodeSilence,
    NodeLocks,
    Locks,
    Waiters,
    Clients,
    OldestHold,
    Diagnoses,
    Acquired,
    Released,
    ReleaseMessages,
    Expired,
    Renewals,
    HandedOver,
    Lost,
    HoldTime,
    WaitTime,
    Synchronizers,
    SemaphorePermits,
    SynchronizerWaiters,
    LockHeld,
    LockHoldTime,
    LockWaiters,
    LockDiagnoses,
    LockAcquired,
    LeftOut,
    Unwatched,
    NotWatched,
    EventsDropped,
    Denials,
    ReadRate,
    ReadBudget,
    Sweeps,
    SweepProgress,
    SweepTime,
    SweptKeys,
    TokenLitter,
    ScriptStorms,
    Requests,
    RefusedConnections,
    ProcessCpu,
    ProcessResident,
    ProcessVirtual,
    ProcessOpenFiles,
    ProcessMostFiles,
    ProcessStart
};

enum class MetricType { Gauge, Counter, Histogram };

// What a family is called and means: the table of resources/manual/metrics.md has the same lines.
struct MetricFamily {
    Metric metric;
    std::string_view name;  // of a counter without _total
    MetricType type;
    std::string_view unit;    // at the end of the name; empty: a number of things
    std::string_view labels;  // by commas, besides `target`; "-": not of a target
    std::string_view help;

    // As Prometheus shows it: that of a counter has _total.
    [[nodiscard]] bool isCounter() const noexcept { return type == MetricType::Counter; }
};

inline constexpr size_t metricCount = static_cast<size_t>(Metric::ProcessStart) + 1;

[[nodiscard]] const std::array<MetricFamily, metricCount>& metricFamilies();
[[nodiscard]] inline const MetricFamily& familyOf(Metric metric) {
    return metricFamilies()[static_cast<size_t>(metric)];
}

}  // namespace lockkeeper::metrics
