// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/check/servercheck.h"

namespace lockkeeper::ui {

// What follows from a limit for Redisson's locks, as a sentence or two.
[[nodiscard]] QString limitText(const control::CheckFinding& finding);
[[nodiscard]] QString severityText(control::LimitSeverity severity);
[[nodiscard]] QString serviceText(control::ManagedService service);

// The whole check as lines of text. Nodes about which the same is known are named together.
[[nodiscard]] QStringList checkLines(const control::ServerCheck& check);

}  // namespace lockkeeper::ui
