// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lab/laboratory.h"

namespace lockkeeper::lab {

// Whether everything that a person's step names exists now. The step may have been requested before something ended.
[[nodiscard]] bool isPossible(const Step& step, const Scenario& scenario, const Laboratory& laboratory);

}  // namespace lockkeeper::lab
