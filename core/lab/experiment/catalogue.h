// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::lab {

enum class Family { Basics, Watchdog, Waiting, Sharing, Several, Failover, Before };

// An experiment. Its texts are in resources/lab/ID.md.
struct Experiment {
    QByteArray id;
    Family family = Family::Basics;
    Scenario (*scenario)(Trigger) = nullptr;
    StepLabel moment = {};  // the step that the explanation is about; empty: it follows from the expectations
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario scenarioOf(const Experiment& experiment, Variation variation);

// In the best order for learning.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<Experiment> experiments();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Experiment> experimentOf(const QByteArray& id);
// The word for the family: "basics", "watchdog", ...
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray wordFor(Family family);

// The experiments of one family.
[[nodiscard]] std::vector<Experiment> basicExperiments();
[[nodiscard]] std::vector<Experiment> watchdogExperiments();
[[nodiscard]] std::vector<Experiment> waitingExperiments();
[[nodiscard]] std::vector<Experiment> sharingExperiments();
[[nodiscard]] std::vector<Experiment> severalExperiments();
[[nodiscard]] std::vector<Experiment> failoverExperiments();
[[nodiscard]] std::vector<Experiment> beforeExperiments();

}  // namespace lockkeeper::lab
