// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/groups/lockgroup.h"

#include <QMenu>

class QActionGroup;
class QSettings;

namespace lockkeeper::ui {

class LockTableView;

// How the table of locks is grouped: by nothing, by the beginning of the names, or by client; and what can be done with
// the groups. Offered in the window's menu, on the table and on its header.
class GroupMenu final : public QMenu {
    Q_OBJECT
public:
    // The table outlives the menu.
    GroupMenu(LockTableView& table, QWidget* parent);

    void save(QSettings& settings) const;
    void restore(QSettings& settings);

Q_SIGNALS:
    // The table is to show the locks of one group alone.
    void filterWanted(const QString& filter);

private:
    void makeActions();
    // If there are many locks, all groups are collapsed at first.
    void groupBy(GroupBy by);
    void setAllExpanded(bool expanded);
    // The filter of the group whose heading is the current row.
    [[nodiscard]] QString currentFilter() const;
    void refresh();
    void retranslate();

    LockTableView& m_table;
    QActionGroup* m_ways;
    QAction* m_expand;
    QAction* m_collapse;
    QAction* m_showOnly;
};

}  // namespace lockkeeper::ui
