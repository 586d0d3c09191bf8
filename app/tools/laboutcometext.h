// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/catalogue.h"
#include "lab/experiment/outcome.h"

namespace lockkeeper::app {

// What is printed of an experiment that was run, now or in a recording.
[[nodiscard]] QByteArray outcomeTitle();
// A row for each expectation; what differs is marked. One row alone if its servers could not be started.
[[nodiscard]] QByteArray outcomeRows(const lab::Experiment& experiment, lab::Variation variation,
                                     const lab::Outcome& outcome);
// One object in one line.
[[nodiscard]] QByteArray outcomeJsonLine(const lab::Experiment& experiment, lab::Variation variation,
                                         const lab::Outcome& outcome);
// "0.8 s".
[[nodiscard]] QString secondsText(Milliseconds time);
// Characters; no id of an experiment has more.
constexpr int outcomeIdWidth = 22;

}  // namespace lockkeeper::app
