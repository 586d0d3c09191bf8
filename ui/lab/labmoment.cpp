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

}  // namespace

std::optional<qsizetype> momentOf(const lab::Scenario& scenario, const LabRecording& recording) {
    const QByteArray mostSuffix = ".most";
    for (const lab::Expectation& expected : scenario.expectations) {
        const auto* number = std::get_if<qint64>(&expected.value);
        if (expected.fact.endsWith(mostSuffix) && number && *number > 1)
            return firstWith(*number, lab::LockId(expected.fact.chopped(mostSuffix.size())), recording);
    }
    for (const lab::Expectation& expected : scenario.expectations) {
        const lab::StepLabel label(expected.fact.first(std::max<qsizetype>(expected.fact.lastIndexOf('.'), 0)));
        const auto step = std::ranges::find(scenario.steps, label, &lab::Step::label);
        if (step != scenario.steps.end())
            return recording.frameOfStep(step - scenario.steps.begin());
    }
    return std::nullopt;
}

}  // namespace lockkeeper::ui
