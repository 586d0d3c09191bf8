// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "ui/lab/labrecording.h"

namespace lockkeeper::ui {

// The frame of what the experiment shows: the first with too many holders if it expects such, or else that of the first
// step whose answer it expects. Nothing if that was not reached.
[[nodiscard]] std::optional<qsizetype> momentOf(const lab::Scenario& scenario, const LabRecording& recording);

}  // namespace lockkeeper::ui
