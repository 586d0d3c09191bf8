// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labmoment.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

std::optional<qsizetype> firstWith(qint64 holders, const lab::LockId& lock, const LabRecording& recording) {
    for (qsizetype frame = 0; frame < recording.size(); ++frame) {
        if (recording.holdersAt(frame, lock) >= holders)
            return frame;
    }
    return std::nullopt;
}

std::optional<qsizetype> stepOf(const lab::StepLabel& label, const lab::Scenario& scenario) {
    const auto step = std::ranges::find(scenario.steps, label, &lab::Step::label);
    return label.isEmpty() || step == scenario.steps.end() ? std::nullopt
                                                           : std::optional<qsizetype>(step - scenario.steps.begin());
}

}  // namespace

std::optional<qsizetype> momentOf(const lab::Experiment& experiment, const lab::Scenario& scenario,
                                  const LabRecording& recording) {
    if (const std::optional<qsizetype> step = stepOf(experiment.moment, scenario))
        return recording.frameOfStep(*step);
    const QByteArray mostSuffix = ".most";
    for (const lab::Expectation& expected : scenario.expectations) {
        const auto* number = std::get_if<qint64>(&expected.value);
        if (expected.fact.endsWith(mostSuffix) && number && *number > 1)
            return firstWith(*number, lab::LockId(expected.fact.chopped(mostSuffix.size())), recording);
    }
    for (const lab::Expectation& expected : scenario.expectations) {
        const lab::StepLabel label(expected.fact.first(std::max<qsizetype>(expected.fact.lastIndexOf('.'), 0)));
        if (const std::optional<qsizetype> step = stepOf(label, scenario))
            return recording.frameOfStep(*step);
    }
    return std::nullopt;
}

}  // namespace lockkeeper::ui
