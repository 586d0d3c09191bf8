// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/throughput.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::monitor {

Throughput::Share shareBySample(double found, int reads) {
    if (reads <= 0)
        return {};
    constexpr double z = 1.96;  // 95 % of a normal distribution
    const double n = reads;
    const double middle = found + z * z / (2 * n);
    const double margin = z * std::sqrt(found * (1 - found) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    return {std::clamp((middle - margin) / scale, 0.0, 1.0), std::clamp((middle + margin) / scale, 0.0, 1.0)};
}

std::optional<Throughput::Share> ifTelling(Throughput::Share share) {
    constexpr double widest = 0.5;
    return share.atMost - share.atLeast <= widest ? std::optional(share) : std::nullopt;
}

}  // namespace lockkeeper::monitor
