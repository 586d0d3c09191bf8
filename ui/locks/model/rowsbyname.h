// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QHash>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace lockkeeper::ui {

// The row of each lock, in several hashes: a hash that grows computes all its keys again. With 100,000 names that
// takes longer than a frame; several hashes grow at different times.
class RowsByName {
public:
    // Nothing if it has none.
    [[nodiscard]] std::optional<int> find(const LockName& name) const {
        const QHash<LockName, int>& part = m_parts[partOf(name)];
        const auto row = part.constFind(name);
        return row == part.cend() ? std::nullopt : std::optional(*row);
    }
    // The rows of those names that have one, in the order of the names.
    template <typename Names>
    [[nodiscard]] std::vector<int> rowsOf(const Names& names) const {
        std::vector<int> rows;
        for (const LockName& name : names) {
            if (const std::optional<int> row = find(name))
                rows.push_back(*row);
        }
        return rows;
    }
    void set(const LockName& name, int row) { m_parts[partOf(name)][name] = row; }
    void remove(const LockName& name) { m_parts[partOf(name)].remove(name); }
    void clear() { m_parts = {}; }

private:
    using Parts = std::array<QHash<LockName, int>, 16>;

    // Uses other bits of the hash than the search within a part.
    [[nodiscard]] static size_t partOf(const LockName& name) { return qHash(name, 1) % std::tuple_size_v<Parts>; }

    Parts m_parts;
};

}  // namespace lockkeeper::ui
