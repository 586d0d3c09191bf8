// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/nodewatch.h"

#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// The part of the figures that the nodes know: sums of what is counted, and the worst of what describes how they are
// watched. A node that is not watched does not count as a worse one.
[[nodiscard]] MonitorStats nodeStats(const std::vector<std::unique_ptr<NodeWatch>>& nodes);

}  // namespace lockkeeper::monitor
