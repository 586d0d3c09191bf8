// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lab/laboratory.h"
#include "lab/run/wirelog.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace lockkeeper::lab {

// Fills a WireLog: runs MONITOR at each server of a laboratory, also after its restart, and records what the actors
// send. Thread: that of the laboratory. Laboratory, log and clock must outlive it.
class WireTaps : public QObject {
    Q_OBJECT
public:
    WireTaps(Laboratory& laboratory, WireLog& log, Clock& clock);

    // Call it after the start of the laboratory. Returns when each server shows its commands.
    [[nodiscard]] Task<Result<Done>> begin(std::stop_token stop);

private:
    void follow(const Actor& actor, ActorLine& line);
    void listen(ServerNumber server);

    Laboratory& m_laboratory;
    WireLog& m_log;
    Clock& m_clock;
    std::vector<std::unique_ptr<redis::Connection>> m_monitors;  // by server
    std::vector<Completion<Done>> m_begun;                       // by server: MONITOR was answered once
};

}  // namespace lockkeeper::lab
