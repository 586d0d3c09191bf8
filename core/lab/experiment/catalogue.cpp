// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"

#include <algorithm>

namespace lockkeeper::lab {

Scenario scenarioOf(const Experiment& experiment, Variation variation) {
    return stretched(experiment.scenario(variation.trigger), variation.stretch);
}

std::vector<Experiment> experiments() {
    std::vector<Experiment> all;
    for (const auto& family : {basicExperiments(), watchdogExperiments(), waitingExperiments(), sharingExperiments(),
                               severalExperiments(), failoverExperiments(), beforeExperiments()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

std::optional<Experiment> experimentOf(const QByteArray& id) {
    const std::vector<Experiment> all = experiments();
    const auto found = std::ranges::find(all, id, &Experiment::id);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

QByteArray wordFor(Family family) {
    switch (family) {
        case Family::Basics:
            return QByteArrayLiteral("basics");
        case Family::Watchdog:
            return QByteArrayLiteral("watchdog");
        case Family::Waiting:
            return QByteArrayLiteral("waiting");
        case Family::Sharing:
            return QByteArrayLiteral("sharing");
        case Family::Several:
            return QByteArrayLiteral("several");
        case Family::Failover:
            return QByteArrayLiteral("failover");
        case Family::Before:
            return QByteArrayLiteral("before");
    }
    return {};
}

}  // namespace lockkeeper::lab
