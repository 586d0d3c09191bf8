// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "ui/table/lockfilter.h"

#include <QSortFilterProxyModel>

namespace lockkeeper::ui {

// Negative, zero or positive: compares the names as they are shown, ignoring case. May be called millions of times:
// names of plain characters, as nearly all are, are compared without being converted.
[[nodiscard]] int compareAsShown(const LockName& one, const LockName& other);

// Filters and sorts the lock table. Rows that compare equal are ordered by name.
class LockFilterModel final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class FreeLocks { Shown, Hidden };
    enum class Soundness { Any, FaultyOnly };

    explicit LockFilterModel(QObject* parent = nullptr);

    // Must be a LockTableModel.
    void setSourceModel(QAbstractItemModel* model) override;

    // Locks are left out for what they are, not only because they are free.
    [[nodiscard]] bool isNarrowed() const { return !m_filter.isEmpty() || m_soundness == Soundness::FaultyOnly; }
    // See LockFilter.
    void setFilterText(const QString& text);
    // Time has passed; does nothing for a filter that does not ask for times.
    void refilterByTime();
    [[nodiscard]] bool dependsOnTime() const { return m_filter.dependsOnTime(); }
    void setFreeLocks(FreeLocks freeLocks);
    // FaultyOnly: with a diagnosis that is more than information.
    void setSoundness(Soundness soundness);
    [[nodiscard]] FreeLocks freeLocks() const noexcept { return m_freeLocks; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    [[nodiscard]] const LockTableModel& locks() const;
    // Source rows, by name.
    [[nodiscard]] bool standsBefore(int one, int other) const;

    LockFilter m_filter;
    FreeLocks m_freeLocks = FreeLocks::Shown;
    Soundness m_soundness = Soundness::Any;
};

}  // namespace lockkeeper::ui
