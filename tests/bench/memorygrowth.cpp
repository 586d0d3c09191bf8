// SPDX-License-Identifier: Apache-2.0
#include "memorygrowth.h"

namespace lockkeeper::bench {

void reportGrowth(Report& report, const QString& whose, const test::MemoryCourse& memory, const GrowthGoal& goal) {
    report.figure(
        QStringLiteral("memory of %1: at the begin, after %2 s, at the end; most").arg(whose, text(goal.from, 0)),
        QStringLiteral("%1, %2, %3; %4 MB")
            .arg(text(memory.megabytesAt(0)), text(memory.megabytesAt(goal.from)), text(memory.last()),
                 text(memory.most())));
    const double slope = memory.slopeFrom(goal.from);
    const double growth = slope * (goal.whole - goal.from) / 60;
    const auto what = QStringLiteral("its growth from then on, by a straight line");
    const QString line = QStringLiteral("%1 MB, %2 MB a minute").arg(text(growth), text(slope, 3));
    if (goal.whole < goal.shortest)
        report.figure(what, line,
                      QStringLiteral("not decided in less than %1 minutes").arg(text(goal.shortest / 60, 0)));
    else
        report.exact(what, line, QStringLiteral("at most %1 MB").arg(text(goal.most, 0)), growth <= goal.most);
}

}  // namespace lockkeeper::bench
