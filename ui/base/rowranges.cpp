// SPDX-License-Identifier: Apache-2.0
#include "ui/base/rowranges.h"

#include <algorithm>

namespace lockkeeper::ui {

std::vector<RowRange> rangesOf(std::vector<int> rows, int gap) {
    std::sort(rows.begin(), rows.end());
    std::vector<RowRange> ranges;
    for (const int row : rows) {
        if (!ranges.empty() && row <= ranges.back().last + 1 + gap)
            ranges.back().last = row;
        else
            ranges.push_back({row, row});
    }
    return ranges;
}

}  // namespace lockkeeper::ui
