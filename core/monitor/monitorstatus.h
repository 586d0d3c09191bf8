// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "lockkeeper_monitor_export.h"
#include "redis/serverinfo.h"

#include <QMetaType>

#include <optional>

namespace lockkeeper::monitor {

class MonitoredNodes;

enum class MonitorPhase {
    Stopped,
    Connecting,  // first attempt in progress
    Watching,
    Reconnecting,  // was watching, and retries automatically; the shown state is old
    Failed         // the first attempt failed; there is no retry
};

struct MonitorStatus {
    MonitorPhase phase = MonitorPhase::Stopped;
    std::optional<Error> error;  // why Failed or Reconnecting
    // Watching: all nodes of a Cluster are lost, or serve no keys, so everything that is shown is old.
    bool watchesNothing = false;
    WallTime lastHeard{};  // Reconnecting, or if it watches nothing: the time of the shown state
    // Reconnecting: when the next attempt to reach a node begins; nothing while one is under way.
    std::optional<SteadyTime> nextAttempt;
    redis::ServerInfo server;  // Watching: from the handshake

    friend bool operator==(const MonitorStatus&, const MonitorStatus&) = default;
};

// The status from the nodes' phases, after one phase has changed. A single watched node is enough for Watching. The
// reported server stays the same until all nodes are lost. error: of the node that changed.
[[nodiscard]] MonitorStatus statusOf(const MonitoredNodes& nodes, const MonitorStatus& before,
                                     const std::optional<Error>& error);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::MonitorStatus)
