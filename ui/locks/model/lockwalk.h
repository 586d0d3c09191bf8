// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

// Goes through locks of the table in several steps, between which the table may change: to read 100,000 locks in one
// turn of the loop takes so long that it is seen, see WorkInTurns. Each lock is met once, as it is at its step; those
// that are gone by then are left out. Those that came later are not among them, not even under the name of one that
// went. Thread: the GUI's.
class LockWalk {
public:
    // rows: of the table as it is now, in the order of the walk. The table outlives it.
    LockWalk(const LockTableModel& locks, const std::vector<int>& rows);
    // Walks through all locks, in the order of the table.
    explicit LockWalk(const LockTableModel& locks);

    [[nodiscard]] size_t size() const noexcept { return m_places.size(); }
    [[nodiscard]] bool isDone() const noexcept { return m_next == m_places.size(); }
    struct Met {
        const monitor::LockRow& lock;
        int row;  // of the table
    };
    // visit: called for each of so many more locks, as visit(const Met& met).
    template <typename Visit>
    void step(size_t count, Visit visit) {
        for (const size_t end = std::min(m_next + count, m_places.size()); m_next < end; ++m_next) {
            if (const std::optional<int> row = rowOf(m_places[m_next]))
                visit(Met{m_locks.rowAt(*row), *row});
        }
    }

private:
    // Without the name: to copy 100,000 names, and to free them, takes as long as to read some of the locks.
    struct Place {
        LockTableModel::Arrival lock;
        int row;  // of the table when it was taken; mostly it still is
    };

    [[nodiscard]] std::optional<int> rowOf(const Place& place) const;

    const LockTableModel& m_locks;
    std::vector<Place> m_places;
    size_t m_next = 0;  // the first that was not met yet
};

}  // namespace lockkeeper::ui
