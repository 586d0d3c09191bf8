// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// Something that happened in an experiment.
struct Moment {
    Milliseconds at{0};   // since the first step
    qsizetype step = -1;  // number of the step; -1: not caused by a step
    QByteArray actor;     // empty: the laboratory
    QByteArray what;      // the code of an answer, "begin", "lost", or the name of a fault
    QByteArray subject;   // the lock or the name, if any

    friend bool operator==(const Moment&, const Moment&) = default;
};

struct Outcome {
    std::optional<Error> failure;  // why the experiment could not be run to its end
    std::vector<Moment> moments;
    Facts facts;
    Milliseconds duration{0};      // without the start of the servers
    bool isChangedByHand = false;  // a person made a change before the last step had ended

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// An expectation and the measured value; nothing if it was not measured.
struct Comparison {
    Expectation expected;
    std::optional<Fact> measured;
    bool isMet = false;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<Comparison> compared(const std::vector<Expectation>& expectations,
                                                                         const Facts& facts);
// Whether every expectation is met, and the experiment was run to its end.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isAsExpected(const Scenario& scenario, const Outcome& outcome);
// The result of a run for its experiment.
enum class Verdict {
    AsExpected,
    Different,
    ChangedByHand  // a person made a change, so the run proves nothing about the experiment
};
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Verdict verdictOf(const Scenario& scenario, const Outcome& outcome);
// Text for tables and logs: the number or the word; "-" for nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray textOf(const std::optional<Fact>& fact);
// Text such as "2", ">= 2", "<= 2".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray textOf(const Expectation& expectation);

}  // namespace lockkeeper::lab
