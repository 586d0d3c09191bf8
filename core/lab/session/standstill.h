// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/session/stoppableclock.h"

#include <vector>

namespace lockkeeper::lab {

// Stops the time of a laboratory and lets it go on: of its actors, whose messages wait, and of the keys on its servers,
// which do not expire. What cannot be stopped: a command that already blocks in a server (WAIT), and the keys of a frozen
// server or of a Cluster that is down. Thread: that of the laboratory; both outlive it.
class StandStill {
public:
    // The clock is that of the laboratory.
    StandStill(Laboratory& laboratory, StoppableClock& clock) : m_laboratory(laboratory), m_clock(clock) {}

    // At once: only the actors. begin() does it, too.
    void stopActors();
    [[nodiscard]] Task<void> begin();
    [[nodiscard]] Task<void> end();
    [[nodiscard]] bool isOn() const noexcept { return m_clock.isStopped(); }
    // The servers do not show how long their keys live.
    [[nodiscard]] bool hasStoppedKeys() const noexcept { return m_hasStoppedKeys; }

private:
    struct Stopped {
        ServerNumber server{};
        QByteArrayList left;  // names and ms, one after the other
    };

    Laboratory& m_laboratory;
    StoppableClock& m_clock;
    std::vector<Stopped> m_stopped;
    bool m_hasStoppedKeys = false;
};

}  // namespace lockkeeper::lab
