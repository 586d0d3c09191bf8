// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/taskscope.h"
#include "base/clocktimer.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/scenario.h"
#include "lab/experiment/stepplayer.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

#include <optional>

namespace lockkeeper::lab {

// Runs one scenario from its first step to its last in its own laboratory. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT ExperimentRun : public QObject {
    Q_OBJECT
public:
    // serverProgram: empty for the installed one.
    ExperimentRun(Scenario scenario, Clock& clock, const QString& serverProgram = {}, QObject* parent = nullptr);
    // If run() was called, it must have returned.
    ~ExperimentRun() override;

    // Call it once. A run that does not end within its longest time has the failure Timeout.
    [[nodiscard]] Task<Outcome> run();
    // Makes run() return soon, with the failure Cancelled.
    void stop();

private:
    Task<void> playAll();
    Task<Result<Done>> playSteps();
    void fail(const Error& failure);
    void reportEnd();

    const Scenario m_scenario;
    Clock& m_clock;
    Laboratory m_laboratory;
    StepPlayer m_player;
    std::optional<Error> m_failure;
    Outcome m_outcome;
    Completion<Done> m_ended;
    ClockTimer m_limit;
    TaskScope m_scope;
};

}  // namespace lockkeeper::lab
