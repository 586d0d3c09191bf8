// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::monitor {

// Bounds of what the report of each write may cost. Roughly measured on a loaded machine, a new key took 27 us more of
// the server's CPU when it was reported and read: so at most 3 % of a core.
struct WriteLimits {
    qint64 commandsPerSecond = 5000;     // of the server, for a start
    qint64 keysPerSecond = 1000;         // reported; as many may come at once
    qint64 bytesPerSecond = 512 * 1024;  // likewise
    Milliseconds firstPause{10'000};
    Milliseconds lastPause{600'000};
};

// Decides when the writes of a server are few enough to be reported one by one. Pure. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT WritePace {
public:
    explicit WritePace(const WriteLimits& limits) : m_limits(limits), m_pause(limits.firstPause) {}

    [[nodiscard]] bool isQuiet(qint64 commandsPerSecond) const noexcept {
        return commandsPerSecond <= m_limits.commandsPerSecond;
    }
    // Of a server that has just been connected.
    void startOver();
    void began(SteadyTime now);
    // Counts what was reported; false if it is too much.
    [[nodiscard]] bool add(qint64 keys, qint64 bytes, SteadyTime now);
    // Returns the pause until the next attempt. Each is twice the one before, unless writes were reported for longer
    // than the longest of them.
    [[nodiscard]] Milliseconds ended(SteadyTime now);

private:
    // What was counted and has not been worn off by the time.
    struct Level {
        double value = 0;

        void wear(double most) { value = value > most ? value - most : 0; }
    };

    const WriteLimits m_limits;
    Milliseconds m_pause;
    std::optional<SteadyTime> m_since;
    SteadyTime m_lastAdded{};
    Level m_keys;
    Level m_bytes;
};

}  // namespace lockkeeper::monitor
