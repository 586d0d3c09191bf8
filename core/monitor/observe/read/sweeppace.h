#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// How fast a sweep may go. On a small keyspace it runs through; on a big one each call is followed by a pause, so that
// scanning takes no more than the given share of the server's time, and goes over so few keys that nobody waits long
// behind it. Knows no clock; times are what the caller measured.
class LOCKKEEPER_MONITOR_EXPORT SweepPace {
public:
    // keys: DBSIZE at the sweep's start, nothing when not known: then it is taken to be big.
    // roundTrip: what an O(1) command took, subtracted from each call as the network's part.
    // serverShare: percent, 1..100.
    SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare);

    // False: the sweep runs through without a pause.
    [[nodiscard]] bool isPaced() const { return !m_small && m_serverShare < 100; }
    // How many keys the next SCAN should go over. The first one, and then one in many, goes over the most: of it the
    // network and a busy machine are the smallest part, so it teaches what a key costs.
    [[nodiscard]] int count() const;
    // How long to wait after a SCAN of count() that took so long.
    [[nodiscard]] std::chrono::nanoseconds pauseAfter(std::chrono::nanoseconds call);

    // From one sweep's start to the next: a new lock on a small keyspace is to be seen within 2 s.
    static constexpr Milliseconds startToStart{1500};
    static constexpr qint64 smallKeyspace = 10'000;
    static constexpr int mostKeys = 500;
    static constexpr int fewestKeys = 10;

private:
    [[nodiscard]] bool isMeasuring() const;
    [[nodiscard]] bool isSoonOver() const;
    void learn(std::chrono::nanoseconds serversPart);

    std::optional<qint64> m_keys;
    bool m_small;
    std::chrono::nanoseconds m_roundTrip;
    int m_serverShare;
    double m_costOfKey = 0;  // nanoseconds
    quint64 m_calls = 0;
};

// The share of a keyspace that a SCAN with this answer has gone over, 0..1. A cursor counts in the order of its
// reversed bits (dict.c of Redis, dictScan): read backwards it is a plain fraction, whatever the size of the table.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT double scannedShare(const QByteArray& cursor);

}  // namespace lockkeeper::monitor
