// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockwalk.h"

#include <numeric>

namespace lockkeeper::ui {

namespace {

std::vector<int> allRows(const LockTableModel& locks) {
    std::vector<int> rows(static_cast<size_t>(locks.rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

}  // namespace

// The rows are given, and only names are read here: to find each row in between took seven times as long with 100,000 locks.
// Their order may not be that of the memory, and a processor waits for many names at once only where nothing else is between
// them.
LockWalk::LockWalk(const LockTableModel& locks, const std::vector<int>& rows) : m_locks(locks) {
    m_places.reserve(rows.size());
    for (const int row : rows)
        m_places.push_back({locks.nameAt(row), row});
}

LockWalk::LockWalk(const LockTableModel& locks) : LockWalk(locks, allRows(locks)) {}

std::optional<int> LockWalk::rowOf(const Place& place) const {
    if (place.row < m_locks.rowCount() && m_locks.nameAt(place.row) == place.name)
        return place.row;
    const QModelIndex moved = m_locks.indexOf(place.name);
    return moved.isValid() ? std::optional(moved.row()) : std::nullopt;
}

}  // namespace lockkeeper::ui
