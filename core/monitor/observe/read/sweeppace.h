// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// How fast a sweep may run. The first sweep of a small keyspace has no pauses, because a user waits for it; in later
// ones calls begin at regular times, so that servers and this program are never busy with nothing else. In a big
// keyspace a pause follows each call, so that scanning takes at most the given share of the server's time. Each call
// scans few keys, so that other clients wait only shortly behind it. The first sweep uses the whole share. Later sweeps
// need not be faster than keysPerSecond. Uses no clock; the caller measures the times.
class LOCKKEEPER_MONITOR_EXPORT SweepPace {
public:
    enum class Sweep { First, Later };

    // keys: DBSIZE at the sweep's start; nothing if not known, which counts as big.
    // roundTrip: duration of an O(1) command; subtracted from each call as the network's part.
    // serverShare: percent, 1..100.
    SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare, Sweep sweep);

    // False: the sweep has no pauses.
    [[nodiscard]] bool isPaced() const { return m_serverShare < 100 && !(m_small && m_sweep == Sweep::First); }
    // Whether pauses depend on how long calls take.
    [[nodiscard]] bool isMeasured() const { return !m_small && m_serverShare < 100; }
    // COUNT of the next SCAN. The first call, and then one in 256, uses the largest COUNT. It shows best what a key
    // costs, because the network and a busy machine have the smallest part in it.
    [[nodiscard]] int count() const;
    // The pause after a SCAN of count() that took this long. late: by how much the pause before was longer than asked
    // for; a later sweep makes up for it.
    [[nodiscard]] std::chrono::nanoseconds pauseAfter(std::chrono::nanoseconds call,
                                                      std::chrono::nanoseconds late = {});

    // From the start of one sweep to the next: a new lock in a small keyspace must be seen within 2 s.
    static constexpr Milliseconds startToStart{1500};
    static constexpr qint64 smallKeyspace = 10'000;
    // A later sweep of smallKeyspace takes this long, one of fewer keys less. Short, because one sweep in four scans
    // for queues first, and its keys are then seen later by this time.
    static constexpr Milliseconds smallSweep{300};
    static constexpr int mostKeys = 500;
    static constexpr int fewestKeys = 10;
    static constexpr int keysPerSecond = 11'111;  // a million in 90 s

private:
    [[nodiscard]] bool isMeasuring() const;
    [[nodiscard]] bool isSoonOver() const;
    [[nodiscard]] std::chrono::nanoseconds longestCall() const;
    void learn(std::chrono::nanoseconds serversPart);

    std::optional<qint64> m_keys;
    bool m_small;
    std::chrono::nanoseconds m_roundTrip;
    int m_serverShare;
    Sweep m_sweep;
    double m_costOfKey = 0;  // nanoseconds
    quint64 m_calls = 0;
};

// The share of a keyspace that a SCAN with this cursor has scanned, 0..1. A cursor counts in the order of its reversed
// bits (Redis dict.c, dictScan): read backwards it is a binary fraction, independent of the table's size.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT double scannedShare(const QByteArray& cursor);

}  // namespace lockkeeper::monitor
