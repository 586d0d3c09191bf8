// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/filter/lockfiltermodel.h"
#include "ui/locks/groups/grouprows.h"
#include "ui/locks/model/lockwalk.h"

#include <QHash>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::ui {

// Puts locks below headings and counts them, in several steps if that is asked for. Thread: the GUI's.
class LockGrouping {
public:
    struct Options {
        GroupBy by = GroupBy::None;
        std::function<bool(const GroupKey&)> isExpanded;  // the locks of others have no rows
        std::optional<LockName> kept;                     // has a row also in a group that is not expanded
    };

    // Takes the locks and their order as they are now, as LockWalk does. `locks` outlives it, and is the source of
    // `shown`.
    LockGrouping(const LockTableModel& locks, const LockFilterModel& shown, Options options);

    // Reads so many more locks; the last step makes the rows.
    void step(size_t count);
    [[nodiscard]] bool isDone() const noexcept { return m_isDone; }
    // To be called once the grouping is done. Groups have the order of their first locks.
    [[nodiscard]] std::vector<GroupRow> takeRows() { return std::move(m_rows); }

private:
    struct Members {
        std::shared_ptr<LockGroup> group;
        bool isExpanded;
        std::vector<LockTableModel::Arrival> locks;
    };

    void makeRows();
    [[nodiscard]] Members& membersOf(const monitor::LockRow& lock);
    [[nodiscard]] Members started(const GroupKey& key, const LockName& first) const;

    const LockTableModel& m_locks;
    Options m_options;
    LockWalk m_walk;
    std::vector<Members> m_groups;
    QHash<GroupKey, size_t> m_placeOf;  // in m_groups
    size_t m_last = 0;                  // the group of the lock before, which is often that of the next
    std::vector<GroupRow> m_rows;
    bool m_isDone = false;
};

}  // namespace lockkeeper::ui
