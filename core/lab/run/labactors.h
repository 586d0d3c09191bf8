// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/stepplayer.h"
#include "lab/laboratory.h"
#include "lab/run/labframe.h"

namespace lockkeeper::lab {

// What each actor does and believes now. Thread: that of the laboratory.
[[nodiscard]] std::vector<LabActor> labActorsOf(const Laboratory& laboratory, const StepPlayer& player);

}  // namespace lockkeeper::lab
