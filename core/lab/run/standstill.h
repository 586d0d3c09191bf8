// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/run/stoppableclock.h"
#include "lockkeeper_monitor_export.h"

#include <stop_token>
#include <vector>

namespace lockkeeper::lab {

// Stops and resumes the time of a laboratory: of its actors, whose messages wait, and of the keys on its servers, which
// do not expire. Some things cannot be stopped: a command that already blocks in a server (WAIT), and the keys of a
// server that is frozen, or of a Cluster that is down, when the stop begins. If a Cluster is down when the stop ends,
// it accepts no script. As soon as it does, its keys get their remaining TTL, less the time that has passed in the
// laboratory since. Thread: that of the laboratory. Laboratory and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT StandStill {
public:
    // clock: that of the laboratory.
    StandStill(Laboratory& laboratory, StoppableClock& clock) : m_laboratory(laboratory), m_clock(clock) {}

    // Stops only the actors, at once. begin() does this, too.
    void stopActors();
    [[nodiscard]] Task<void> begin();
    [[nodiscard]] Task<void> end();
    // Call it after end(): waits until every key has its TTL again. Ends at once if every key has it.
    [[nodiscard]] Task<void> giveBackLater(std::stop_token life);
    [[nodiscard]] bool isOn() const noexcept { return m_clock.isStopped(); }
    // Whether the servers do not show how long their keys live.
    [[nodiscard]] bool hasStoppedKeys() const noexcept { return m_hasStoppedKeys; }

private:
    // A key that has no TTL while this object is kept.
    struct Stopped {
        ServerNumber server{};
        QByteArray name;
        SteadyTime end{};  // when the key expires, by the clock of the laboratory
    };

    void note(ServerNumber server, const std::vector<redis::RespValue>& namesAndLeft);
    [[nodiscard]] std::vector<Stopped> taken(ServerNumber server);
    Task<void> giveBack(ServerNumber server);

    Laboratory& m_laboratory;
    StoppableClock& m_clock;
    std::vector<Stopped> m_stopped;
    bool m_hasStoppedKeys = false;
    bool m_isGivingBack = false;  // giveBackLater() is running
};

}  // namespace lockkeeper::lab
