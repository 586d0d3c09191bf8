// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/catalogue.h"
#include "lab/experiment/outcome.h"
#include "lockkeeper_monitor_export.h"

class QJsonObject;

namespace lockkeeper::lab {

// An experiment that was run, as `lockkeeper lab run --json` prints it (resources/manual/lab.md).
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QJsonObject outcomeToJson(const Experiment& experiment, Variation variation,
                                                                  const Outcome& outcome);

}  // namespace lockkeeper::lab
