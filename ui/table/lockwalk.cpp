// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockwalk.h"

#include <numeric>
#include <ranges>

namespace lockkeeper::ui {

namespace {

std::vector<int> allRows(const LockTableModel& locks) {
    std::vector<int> rows(static_cast<size_t>(locks.rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

}  // namespace

LockWalk::LockWalk(const LockTableModel& locks, const std::vector<int>& rows) : m_locks(locks) {
    m_places.reserve(rows.size());
    for (const int row : rows)
        m_places.push_back({locks.arrivalAt(row), row});
}

LockWalk::LockWalk(const LockTableModel& locks) : LockWalk(locks, allRows(locks)) {}

std::optional<int> LockWalk::rowOf(const Place& place) const {
    if (place.row < m_locks.rowCount() && m_locks.arrivalAt(place.row) == place.lock)
        return place.row;
    const auto rows = std::views::iota(0, m_locks.rowCount());
    const auto found = std::ranges::lower_bound(rows, place.lock, {}, [this](int row) { return m_locks.arrivalAt(row); });
    return found != rows.end() && m_locks.arrivalAt(*found) == place.lock ? std::optional(*found) : std::nullopt;
}

}  // namespace lockkeeper::ui
