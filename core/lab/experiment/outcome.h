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
    qsizetype step = -1;  // its number; -1: by itself
    QByteArray actor;     // empty: the laboratory
    QByteArray what;      // the code of an answer, "begin", "lost", or the name of a fault
    QByteArray subject;   // the lock or name that it is about, if any

    friend bool operator==(const Moment&, const Moment&) = default;
};

struct Outcome {
    std::optional<Error> failure;  // it could not be run to its end
    std::vector<Moment> moments;
    Facts facts;
    Milliseconds duration{0};  // without the start of the servers
    bool isChangedByHand = false;  // a person has interfered before its last step had ended

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// An expectation beside what was measured; nothing if it was not measured.
struct Comparison {
    Expectation expected;
    std::optional<Fact> measured;
    bool isMet = false;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<Comparison> compared(const std::vector<Expectation>& expectations,
                                                                         const Facts& facts);
// Every expectation is met, and it was run to its end.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isAsExpected(const Scenario& scenario, const Outcome& outcome);
// What a run says about its experiment.
enum class Verdict {
    AsExpected,
    Different,
    ChangedByHand  // a person has interfered, so it says nothing about the experiment
};
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Verdict verdictOf(const Scenario& scenario, const Outcome& outcome);
// For tables and logs: the number or the word; "-" for nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray textOf(const std::optional<Fact>& fact);
// "2", ">= 2", "<= 2"
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray textOf(const Expectation& expectation);

}  // namespace lockkeeper::lab
