// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/groups/lockgroups.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QTreeWidget;

namespace lockkeeper::ui {

// The locks of a session counted by prefix or by client. Counts again at most twice a second, and only after a change.
class GroupDialog final : public QDialog {
    Q_OBJECT
public:
    static constexpr size_t mostShown = 1000;

    // Both outlive it.
    GroupDialog(const LockTableModel& locks, Clock& clock, QWidget* parent = nullptr);
    ~GroupDialog() override;

    void setAliases(const HolderAliases& aliases);

Q_SIGNALS:
    void filterWanted(const QString& filter);

private:
    void makeLayout();
    void followLocks();
    void retranslate();
    void scheduleRefresh();
    void refresh();
    void fill(const std::vector<LockGroup>& groups);
    [[nodiscard]] QString nameOf(const LockGroup& group) const;

    const LockTableModel& m_locks;
    Clock& m_clock;
    Clock::TimerId m_timer = Clock::TimerId::None;
    HolderAliases m_aliases;
    QLabel* m_label;
    QComboBox* m_by;
    QTreeWidget* m_list;
    QLabel* m_count;
};

}  // namespace lockkeeper::ui
