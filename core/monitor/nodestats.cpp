// SPDX-License-Identifier: Apache-2.0
#include "monitor/nodestats.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// The modes are numbered from the best one; None is no mode.
bool isWorse(ObservationMode one, ObservationMode other) {
    return one != ObservationMode::None && one > other;
}

void addObservation(MonitorStats& stats, const Observer& observer) {
    const bool isFirst = stats.observation == ObservationMode::None;
    if (isFirst || isWorse(observer.mode(), stats.observation)) {
        stats.observation = observer.mode();
        stats.observationLimit = observer.limit();
    }
    if (observer.mode() == ObservationMode::None)
        return;
    stats.noticesFairQueues = observer.noticesFairQueues() && (isFirst || stats.noticesFairQueues);
}

void addWriteReports(MonitorStats& stats, const NodeWatch& node) {
    if (node.phase() == NodePhase::Watching)
        stats.writeReports = std::max(stats.writeReports, node.writeReports());
}

void addDiscovery(MonitorStats& stats, const Discovery& discovery) {
    // Refused is the worst, and Paused is the same for all.
    stats.discovery = std::max(stats.discovery, discovery.state());
    stats.keysThisSweep += discovery.keysThisSweep();
    stats.databaseSize += discovery.databaseSize();
    const std::optional<TokenLitter>& litter = discovery.tokenLitter();
    if (!litter)
        return;
    TokenLitter& all = stats.tokenLitter ? *stats.tokenLitter : stats.tokenLitter.emplace();
    all.sampledKeys += litter->sampledKeys;
    all.found += litter->found;
    all.estimate += litter->estimate;
    all.checked += litter->checked;
    all.leftOver += litter->leftOver;
    all.at = std::max(all.at, litter->at);
}

// A denial on all nodes is added once, without the name of a node.
void addDenials(MonitorStats& stats, const std::vector<std::unique_ptr<NodeWatch>>& nodes) {
    for (const auto& node : nodes) {
        for (Denial denial : node->denied()) {
            const bool isEverywhere =
                std::ranges::all_of(nodes, [&denial](const auto& other) { return other->denied().contains(denial); });
            if (denial.node.isEmpty())  // a denial of a replica has its address already
                denial.node = isEverywhere || !node->isInCluster() ? QString() : node->status().address;
            if (!stats.denied.contains(denial))
                stats.denied += denial;
        }
    }
}

}  // namespace

MonitorStats nodeStats(const std::vector<std::unique_ptr<NodeWatch>>& nodes) {
    MonitorStats stats;
    stats.noticesNewNames = !nodes.empty();
    const bool isWatched =
        std::ranges::any_of(nodes, [](const auto& node) { return node->phase() == NodePhase::Watching; });
    stats.writeReports = isWatched ? WriteReports::On : WriteReports::NotYet;
    for (const auto& node : nodes) {
        addObservation(stats, node->observer());
        addDiscovery(stats, node->discovery());
        addWriteReports(stats, *node);
        stats.noticesNewNames = stats.noticesNewNames && node->discovery().noticesNewNames();
        stats.readsPerSecond += node->budget().usedPerSecond();
        stats.readBudgetPerSecond += node->budget().limitOfLastSecond();
        stats.keysInLastSweep += node->keysInLastSweep();
        if (const std::optional<ScriptStorm>& storm = node->info().storm())
            stats.scriptStorms += *storm;
        if (node->isInCluster())
            stats.nodes += node->status();
        else
            stats.master = node->status();
    }
    addDenials(stats, nodes);
    return stats;
}

}  // namespace lockkeeper::monitor
