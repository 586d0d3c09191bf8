// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/ticker.h"
#include "ui/locks/filter/lockfiltermodel.h"
#include "ui/locks/groups/groupedlocksmodel.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/locks/table/lockselection.h"
#include "ui/locks/table/tablecolumns.h"

#include <QTableView>

#include <optional>

namespace lockkeeper::ui {

class OrderHold;

// The table of locks. Counts down by repainting the cells that show a running time, and only those that are on screen:
// it stands still while none is, while the window is hidden, and while the connection is not live.
// Highlights the row of the selected lock, and none when that lock has no row. Under headings, if they are wanted: the
// keyboard may stand on one, and then no lock is selected.
class LockTableView final : public QTableView {
    Q_OBJECT
public:
    // Everything given outlives the view.
    LockTableView(LockTableModel& locks, LockFilterModel& shown, LockSelection& selection, const ViewTime& time,
                  Clock& clock, QWidget* parent = nullptr);

    // The selected lock, also when it has no row.
    [[nodiscard]] std::optional<LockName> currentLock() const;
    // Selects it and scrolls to it, if it has a row.
    void setCurrentLock(const LockName& name);
    // Scrolls to the row of the selected lock, if it has one.
    void showCurrentLock();
    // About the selected lock, in its context menu, where it has not got them already.
    void offerActions(const QList<QAction*>& actions);
    // Selects the first row, if there is any.
    void selectFirst();
    void setGroupBy(GroupBy by);
    [[nodiscard]] GroupedLocksModel& groups() noexcept { return m_groups; }
    [[nodiscard]] const GroupedLocksModel& groups() const noexcept { return m_groups; }
    // The group on whose heading the keyboard stands; null: on none.
    [[nodiscard]] const LockGroup* currentGroup() const;
    [[nodiscard]] TableColumns& columns() noexcept { return *m_columns; }
    [[nodiscard]] const TableColumns& columns() const noexcept { return *m_columns; }
    [[nodiscard]] const Ticker& ticker() const noexcept { return m_ticker; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;

private:
    // Whose rows are shown: the filter's, or these under headings.
    void followModel();
    [[nodiscard]] bool isGrouped() const { return m_groups.groupBy() != GroupBy::None; }
    [[nodiscard]] QModelIndex indexOf(const LockName& name) const;
    // Null: the row is a heading, or its lock has just gone.
    [[nodiscard]] const monitor::LockRow* lockAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex selectedIndex() const;
    void toggle(const LockGroup& group);
    // True: the key was one of those for headings.
    [[nodiscard]] bool handleGroupKey(int key);
    [[nodiscard]] bool handleEndKey(int key);
    // Highlights the row of the selected lock.
    void showSelection();
    void repaintTimes();
    [[nodiscard]] bool areTimesRunning() const;

    LockTableModel& m_locks;
    LockFilterModel& m_shown;
    LockSelection& m_selection;
    const ViewTime& m_time;
    Ticker m_ticker;
    GroupedLocksModel m_groups;
    std::optional<GroupKey> m_heading;  // where the keyboard stands
    QList<QMetaObject::Connection> m_following;
    TableColumns* m_columns = nullptr;
    OrderHold* m_orderHold = nullptr;
    int m_column = LockTableModel::Name;  // of the current cell, which a row that returns gets back
    bool m_isFollowing = false;           // the highlight is being changed by the selection, not by the user
    bool m_areRowsLeaving = false;        // Qt selects a neighbour then
};

}  // namespace lockkeeper::ui
