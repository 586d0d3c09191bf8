// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report.h"
#include "support/memorycourse.h"

namespace lockkeeper::bench {

// Seconds of the run, and megabytes.
struct GrowthGoal {
    double from = 0;      // growth counts from then on
    double whole = 0;     // how long the run takes
    double shortest = 0;  // a shorter run decides nothing
    double most = 0;
};

// Reports the memory of a program, and its growth by a straight line. The bench fails if the growth is more than the
// goal. whose: "watch".
void reportGrowth(Report& report, const QString& whose, const test::MemoryCourse& memory, const GrowthGoal& goal);

}  // namespace lockkeeper::bench
