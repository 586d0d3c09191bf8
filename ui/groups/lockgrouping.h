// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/groups/grouprows.h"
#include "ui/table/lockfiltermodel.h"
#include "ui/table/locktablemodel.h"

#include <QHash>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::ui {

// Puts locks below headings and counts them. In several steps, if that is asked for: to read 100,000 locks in one turn of
// the loop takes so long that it is seen. Thread: the GUI's.
class LockGrouping {
public:
    struct Options {
        GroupBy by = GroupBy::None;
        std::function<bool(const GroupKey&)> isExpanded;  // the locks of others have no rows
        std::optional<LockName> kept;                     // has a row also in a group that is not expanded
    };

    // Takes the locks and their order as they are now. Those that appear before a later step are not in it, those that go
    // before their step have no row. `locks` outlives it, and is the source of `shown`.
    LockGrouping(const LockTableModel& locks, const LockFilterModel& shown, Options options);

    // Reads so many more locks.
    void step(size_t count);
    [[nodiscard]] bool isDone() const noexcept { return m_next == m_order.size(); }
    // Once it is done. Groups have the order of their first locks.
    [[nodiscard]] std::vector<GroupRow> takeRows();

private:
    struct Place {
        LockName name;
        int row;  // of the table when it was taken; mostly it still is
    };
    struct Members {
        std::shared_ptr<LockGroup> group;
        bool isExpanded;
        std::vector<LockName> locks;
    };

    [[nodiscard]] const monitor::LockRow* rowOf(const Place& place) const;
    [[nodiscard]] Members& membersOf(const monitor::LockRow& lock);
    [[nodiscard]] Members started(const GroupKey& key, const LockName& first) const;

    const LockTableModel& m_locks;
    Options m_options;
    std::vector<Place> m_order;
    size_t m_next = 0;  // the first of m_order that is not read yet
    std::vector<Members> m_groups;
    QHash<GroupKey, size_t> m_placeOf;  // in m_groups
    size_t m_last = 0;  // the group of the lock before, which is often that of the next
};

}  // namespace lockkeeper::ui
