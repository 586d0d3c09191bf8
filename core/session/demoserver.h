// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "base/result.h"
#include "lab/privateserver.h"
#include "lab/simulatedfleet.h"

#include <memory>
#include <stop_token>

namespace lockkeeper {

// The demo's own server, and the programs that use locks on it. Thread: the clock's, which must outlive it.
class DemoServer {
public:
    explicit DemoServer(Clock& clock) : m_clock(clock) {}

    // Starts the server and returns its endpoint. Errors: those of PrivateServer; Timeout; Cancelled.
    [[nodiscard]] Task<Result<redis::Endpoint>> start(std::stop_token stop);
    // Stops in order. Does nothing if it was not started.
    [[nodiscard]] Task<void> stop(Deadline deadline, std::stop_token stop);
    // Ends the programs at once, as in a crash; the server ends with this object.
    void end() { m_fleet.reset(); }
    // Whether the worker of this client has died.
    [[nodiscard]] bool isDead(const ClientId& client) const { return m_fleet && m_fleet->isDead(client); }

private:
    Clock& m_clock;
    std::unique_ptr<lab::PrivateServer> m_server;
    std::unique_ptr<lab::SimulatedFleet> m_fleet;
};

}  // namespace lockkeeper
