#pragma once

#include "monitor/model/throughput.h"

#include <QString>

namespace lockkeeper::ui {

// "4,980/s", "≥ 12/s": how often a busy lock is acquired; by its releases where each of them is received.
[[nodiscard]] QString rateText(const monitor::Throughput& throughput);
// Some lines: what was counted, what is a sample and of how many reads, and for which seconds it is true.
[[nodiscard]] QString throughputText(const monitor::Throughput& throughput, WallTime now);

}  // namespace lockkeeper::ui
