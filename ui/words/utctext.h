// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QString>

#include <functional>

namespace lockkeeper::ui {

// The time in UTC with its date, whatever zone is shown, "2026-01-31 12:00:00.123Z". For a report or a record that is
// read elsewhere.
[[nodiscard]] QString utcText(WallTime at);

// How a text writes the times in it: utcText(), or clockText() as of some moment.
using WriteTime = std::function<QString(WallTime at)>;

}  // namespace lockkeeper::ui
