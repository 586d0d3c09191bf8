// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "lab/laboratory.h"

namespace lockkeeper::lab {

// Whether there is what a person's own step names, now. It may have been requested before something ended.
[[nodiscard]] bool isPossible(const Step& step, const Scenario& scenario, const Laboratory& laboratory);

}  // namespace lockkeeper::lab
