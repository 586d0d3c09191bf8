// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/nodewatch.h"

#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// The figures that the nodes know: the sums of what they count, and the worst of how they are watched. A node that is
// not watched does not count as a worse one.
[[nodiscard]] MonitorStats nodeStats(const std::vector<std::unique_ptr<NodeWatch>>& nodes);

}  // namespace lockkeeper::monitor
