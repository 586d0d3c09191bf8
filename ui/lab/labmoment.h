// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/catalogue.h"
#include "ui/lab/labrecording.h"

namespace lockkeeper::ui {

// The frame that shows what the experiment is about: that of the step which the experiment names as its moment. If it
// names none: the first frame with too many holders if it expects these, or else that of the first step whose answer
// it expects. Nothing if that was not reached. scenario: the experiment's, as it was run.
[[nodiscard]] std::optional<qsizetype> momentOf(const lab::Experiment& experiment, const lab::Scenario& scenario,
                                                const LabRecording& recording);

}  // namespace lockkeeper::ui
