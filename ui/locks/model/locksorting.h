// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"

#include <vector>

namespace lockkeeper::ui {

// The order of locks by a column of the table. Locks that are equal there are ordered by name. A lock is a row of the
// table. Valid until the table changes. Thread: the GUI's.
class LockSorting {
public:
    LockSorting(const LockTableModel& table, int column, Qt::SortOrder order)
        : m_table(table), m_column(column), m_order(order) {}

    [[nodiscard]] bool standsBefore(int one, int other) const;
    [[nodiscard]] std::vector<int> sorted(std::vector<int> locks) const;
    // Where locks stand when they are put among others. Both stand in their order.
    [[nodiscard]] std::vector<int> placesOf(const std::vector<int>& locks, const std::vector<int>& among) const;

private:
    [[nodiscard]] bool isOrderedByValues() const;
    [[nodiscard]] QVariant valueOf(int lock) const;
    [[nodiscard]] int compare(int one, int other) const;
    [[nodiscard]] int compareNames(int one, int other) const;
    [[nodiscard]] bool isFirst(int order) const;
    [[nodiscard]] std::vector<int> sortedByValues(const std::vector<int>& locks) const;

    const LockTableModel& m_table;
    int m_column;
    Qt::SortOrder m_order;
};

}  // namespace lockkeeper::ui
