// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitorstatus.h"

#include "monitor/monitorednodes.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool wasWatched(const MonitorStatus& status) {
    return status.phase == MonitorPhase::Watching || status.phase == MonitorPhase::Reconnecting;
}

MonitorStatus watching(const NodeWatch& node) {
    MonitorStatus status;
    status.phase = MonitorPhase::Watching;
    status.server = node.observer().connection().server();
    return status;
}

void addOutage(MonitorStatus& status, const MonitoredNodes& nodes) {
    status.nextAttempt.reset();
    for (const auto& node : nodes.all()) {
        status.lastHeard = std::max(status.lastHeard, node->lastHeard());
        const std::optional<SteadyTime> next = node->observer().connection().nextAttempt();
        if (next)
            status.nextAttempt = std::min(*next, status.nextAttempt.value_or(*next));
    }
}

// A node that is connected may still serve no keys.
void addWatching(MonitorStatus& status, const MonitoredNodes& nodes) {
    status.watchesNothing = std::ranges::all_of(
        nodes.all(), [](const auto& node) { return isLost(node->phase()) || node->outage().has_value(); });
    status.lastHeard = {};
    for (const auto& node : nodes.all()) {
        if (status.watchesNothing)
            status.lastHeard = std::max(status.lastHeard, node->status().lastHeard);
    }
}

}  // namespace

MonitorStatus statusOf(const MonitoredNodes& nodes, const MonitorStatus& before, const std::optional<Error>& error) {
    if (const NodeWatch* watched = nodes.firstIn(NodePhase::Watching)) {
        MonitorStatus status = before.phase == MonitorPhase::Watching ? before : watching(*watched);
        addWatching(status, nodes);
        return status;
    }
    const bool isFirstAttempt = !wasWatched(before);
    if (isFirstAttempt && (nodes.firstIn(NodePhase::Connecting) || !error))
        return before;
    MonitorStatus status = before;
    status.phase = isFirstAttempt ? MonitorPhase::Failed : MonitorPhase::Reconnecting;
    status.watchesNothing = false;
    if (error)
        status.error = error;
    if (!isFirstAttempt)
        addOutage(status, nodes);
    return status;
}

}  // namespace lockkeeper::monitor
