// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/lockwalk.h"

#include <numeric>

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
    return m_locks.rowOf(place.lock);
}

}  // namespace lockkeeper::ui
