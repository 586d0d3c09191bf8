// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "lab/experiment/experimentrun.h"
#include "lab/experiment/wording.h"
#include "support/taskwait.h"

#include <QDir>

namespace lockkeeper::test {

// Scenarios that a test writes, on real servers.
constexpr int labPatience = 60000;

inline QString labServer() {
    return qEnvironmentVariable("LOCKKEEPER_TEST_SERVER");
}

// The folders of all laboratories that are open, below TMPDIR.
inline QStringList labFolders() {
    return QDir(QDir::tempPath()).entryList({QStringLiteral("lockkeeper-lab-*")}, QDir::Dirs);
}

inline lab::Outcome outcomeOf(const lab::Scenario& scenario) {
    SystemClock clock;
    lab::ExperimentRun run(scenario, clock, labServer());
    return waitFor(run.run(), labPatience);
}

// The facts that differ, for messages of a test.
inline QByteArray differences(const lab::Scenario& scenario, const lab::Outcome& outcome) {
    QByteArray text = outcome.failure ? wordFor(outcome.failure->code).toUtf8() + "; " : QByteArray();
    for (const lab::Comparison& one : lab::compared(scenario.expectations, outcome.facts)) {
        if (!one.isMet)
            text += one.expected.fact + " = " + lab::textOf(one.measured) + ", expected " + lab::textOf(one.expected) +
                    "; ";
    }
    return text;
}

// Two actors and a lock on one server.
inline lab::Scenario labScenario(std::vector<lab::Step> steps) {
    lab::Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lab::wording::lock("L")};
    s.steps = std::move(steps);
    return s;
}

inline QByteArray wordIn(const lab::Outcome& outcome, const QByteArray& fact) {
    return lab::textOf(outcome.facts.contains(fact) ? std::optional(outcome.facts.value(fact)) : std::nullopt);
}

}  // namespace lockkeeper::test
