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

}  // namespace

MonitorStatus statusOf(const MonitoredNodes& nodes, const MonitorStatus& before, const std::optional<Error>& error) {
    if (const NodeWatch* watched = nodes.firstIn(NodePhase::Watching))
        return before.phase == MonitorPhase::Watching ? before : watching(*watched);
    const bool isFirstAttempt = !wasWatched(before);
    if (isFirstAttempt && (nodes.firstIn(NodePhase::Connecting) || !error))
        return before;
    MonitorStatus status = before;
    status.phase = isFirstAttempt ? MonitorPhase::Failed : MonitorPhase::Reconnecting;
    if (error)
        status.error = error;
    if (!isFirstAttempt)
        addOutage(status, nodes);
    return status;
}

}  // namespace lockkeeper::monitor
