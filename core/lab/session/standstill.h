// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/session/stoppableclock.h"
#include "lockkeeper_monitor_export.h"

#include <stop_token>
#include <vector>

namespace lockkeeper::lab {

// Stops the time of a laboratory and lets it go on: of its actors, whose messages wait, and of the keys on its servers,
// which do not expire. What cannot be stopped: a command that already blocks in a server (WAIT), and the keys of a
// server that is frozen, or of a Cluster that is down, when the stop begins. A Cluster that is down when the stop ends
// takes no script: its keys get what was left, less the time that has passed in the laboratory since, as soon as it
// does. Thread: that of the laboratory; both outlive it.
class LOCKKEEPER_MONITOR_EXPORT StandStill {
public:
    // The clock is that of the laboratory.
    StandStill(Laboratory& laboratory, StoppableClock& clock) : m_laboratory(laboratory), m_clock(clock) {}

    // At once: only the actors. begin() does it, too.
    void stopActors();
    [[nodiscard]] Task<void> begin();
    [[nodiscard]] Task<void> end();
    // After end(): until every key has its time to live again. Ends at once if each has.
    [[nodiscard]] Task<void> giveBackLater(std::stop_token life);
    [[nodiscard]] bool isOn() const noexcept { return m_clock.isStopped(); }
    // The servers do not show how long their keys live.
    [[nodiscard]] bool hasStoppedKeys() const noexcept { return m_hasStoppedKeys; }

private:
    // A key that has no time to live as long as this is kept.
    struct Stopped {
        ServerNumber server{};
        QByteArray name;
        SteadyTime end{};  // by the clock of the laboratory
    };

    void note(ServerNumber server, const std::vector<redis::RespValue>& namesAndLeft);
    [[nodiscard]] std::vector<Stopped> taken(ServerNumber server);
    Task<void> giveBack(ServerNumber server);

    Laboratory& m_laboratory;
    StoppableClock& m_clock;
    std::vector<Stopped> m_stopped;
    bool m_hasStoppedKeys = false;
    bool m_isGivingBack = false;  // giveBackLater() is under way
};

}  // namespace lockkeeper::lab
