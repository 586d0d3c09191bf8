// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::monitor {

// Bounds the cost of the reports of each write. In a rough measurement on a loaded machine, a reported and read new key
// took 27 us more of the server's CPU: so the cost is at most 3 % of a core.
struct WriteLimits {
    qint64 commandsPerSecond = 5000;     // load of the server at which reports may start
    qint64 keysPerSecond = 1000;         // reported keys; as many may come at once
    qint64 bytesPerSecond = 512 * 1024;  // reported bytes; as many may come at once
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
    // Call for a newly connected server.
    void startOver();
    void began(SteadyTime now);
    // Counts the reported keys and bytes; false if they are too many.
    [[nodiscard]] bool add(qint64 keys, qint64 bytes, SteadyTime now);
    // The reports have ended. Returns the pause until the next attempt. Each pause is twice as long as the one before,
    // unless writes were reported for longer than the longest pause.
    [[nodiscard]] Milliseconds ended(SteadyTime now);

private:
    // The counted amount that has not decayed with time yet.
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
