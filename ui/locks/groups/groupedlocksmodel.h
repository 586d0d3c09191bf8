// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/workinturns.h"
#include "ui/locks/filter/lockfiltermodel.h"
#include "ui/locks/groups/grouprows.h"
#include "ui/locks/groups/lockgrouping.h"
#include "ui/locks/model/arrangedrows.h"

#include <QAbstractTableModel>
#include <QHash>

#include <memory>

namespace lockkeeper::ui {

// The locks of the table under headings: a row for each group with its counts, and below it its locks, unless it is
// collapsed. Groups and locks have the order of the filter model: the group that has its first lock comes first.
// Follows changes some times a second, in several turns of the loop; until then rows of locks that went are empty.
// Thread: the GUI's.
class GroupedLocksModel final : public ArrangedRows<QAbstractTableModel> {
    Q_OBJECT
public:
    // All outlive it. Groups by nothing at first: it has no rows then, and costs nothing.
    GroupedLocksModel(const LockTableModel& locks, LockFilterModel& shown, Clock& clock, QObject* parent = nullptr);

    void setGroupBy(GroupBy by);
    [[nodiscard]] GroupBy groupBy() const noexcept { return m_by; }
    // Follows what has changed at once.
    void refresh();

    // Null: the row is a heading, or its lock has gone. Valid until the next change.
    [[nodiscard]] const monitor::LockRow* lockAt(int row) const;
    // Null: the row is that of a lock.
    [[nodiscard]] const LockGroup* headingAt(int row) const;
    // The row of the lock or of the heading; invalid when it has none. Searches the rows from the first on.
    [[nodiscard]] QModelIndex indexOf(const LockName& name) const;
    [[nodiscard]] QModelIndex indexOf(const GroupKey& key) const;
    // The heading above the row, or the row itself.
    [[nodiscard]] QModelIndex headingOf(const QModelIndex& row) const;

    // Expanded while the filter leaves only few locks; otherwise as setAllExpanded() has set, also for groups that
    // appear later.
    [[nodiscard]] bool isExpanded(const GroupKey& key) const;
    // Sets one group. Takes precedence over the filter and over setAllExpanded().
    void setExpanded(const GroupKey& key, bool expanded);
    void setAllExpanded(bool expanded);
    [[nodiscard]] bool areExpanded() const noexcept { return m_areExpanded; }
    // Expands the group of this lock, if the lock passes the filter.
    void expandTo(const LockName& name);
    // This lock has a row also while its group is collapsed.
    void keepShown(const std::optional<LockName>& name);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    // All rows are in place again, with their new counts.
    void refreshed();

private:
    void follow();
    // A grouping of the filter model's locks, as the rows are wanted.
    [[nodiscard]] LockGrouping grouped();
    [[nodiscard]] std::vector<GroupRow> rowsNow();
    void schedule();
    void begin();
    void finish(LockGrouping& grouping);
    void stop();
    [[nodiscard]] Milliseconds interval() const;
    void become(std::vector<GroupRow> wanted);
    void reorder(const GroupRowPlaces& wanted);
    void insert(const std::vector<GroupRow>& wanted, const std::vector<int>& added);
    void permute(const std::vector<int>& order) override;
    void erase(RowRange range) override;
    void put(RowRange added, int before) override;
    template <typename Matches>
    [[nodiscard]] QModelIndex firstOf(Matches matches) const;

    [[nodiscard]] QVariant headingData(const LockGroup& group, int column, int role) const;
    [[nodiscard]] QString headingText(const LockGroup& group, int column) const;
    [[nodiscard]] QVariant headingIcon(const LockGroup& group, int column) const;
    [[nodiscard]] QString headingSummary(const LockGroup& group) const;

    const LockTableModel& m_locks;
    LockFilterModel& m_shown;
    Clock& m_clock;
    ClockTimer m_start{m_clock, [this] { begin(); }};
    SteadyTime m_next{};  // the next refresh comes no earlier
    WorkInTurns<LockGrouping> m_grouping{m_clock, [this](LockGrouping& grouping) { finish(grouping); }};
    bool m_isOutdated = false;  // something has changed since the grouping began
    GroupBy m_by = GroupBy::None;
    bool m_areExpanded = true;
    bool m_isLittleLeft = false;       // the filter leaves only few locks
    QHash<GroupKey, bool> m_expanded;  // groups that the user has expanded or collapsed
    std::optional<LockName> m_kept;
    std::vector<GroupRow> m_rows;
    std::vector<GroupRow> m_added;  // while they are inserted
};

}  // namespace lockkeeper::ui
