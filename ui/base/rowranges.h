// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace lockkeeper::ui {

struct RowRange {
    int first;
    int last;
};

// Rows in any order, each once, as blocks in ascending order. Blocks with at most `gap` other rows between them are
// one.
[[nodiscard]] std::vector<RowRange> rangesOf(std::vector<int> rows, int gap);

}  // namespace lockkeeper::ui
