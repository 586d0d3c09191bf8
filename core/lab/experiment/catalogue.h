// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::lab {

enum class Family { Basics, Watchdog, Waiting, Sharing, Several, Failover, Before };

// Its texts are in resources/lab/ID.md.
struct Experiment {
    QByteArray id;
    Family family = Family::Basics;
    Scenario (*scenario)(Trigger) = nullptr;
    StepLabel moment = {};  // of the step that the explanation speaks of; empty: that follows from what is expected
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario scenarioOf(const Experiment& experiment, Variation variation);

// In the order in which they are best learnt.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<Experiment> experiments();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Experiment> experimentOf(const QByteArray& id);
// "basics", "watchdog", ...
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray wordFor(Family family);

// Those of one family.
[[nodiscard]] std::vector<Experiment> basicExperiments();
[[nodiscard]] std::vector<Experiment> watchdogExperiments();
[[nodiscard]] std::vector<Experiment> waitingExperiments();
[[nodiscard]] std::vector<Experiment> sharingExperiments();
[[nodiscard]] std::vector<Experiment> severalExperiments();
[[nodiscard]] std::vector<Experiment> failoverExperiments();
[[nodiscard]] std::vector<Experiment> beforeExperiments();

}  // namespace lockkeeper::lab
