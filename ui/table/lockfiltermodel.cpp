// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockfiltermodel.h"

#include "ui/table/locktablemodel.h"
#include "ui/table/nameorder.h"

namespace lockkeeper::ui {

LockFilterModel::LockFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(LockTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    sort(LockTableModel::Name);
}

void LockFilterModel::setSourceModel(QAbstractItemModel* model) {
    Q_ASSERT(!model || qobject_cast<LockTableModel*>(model));
    QSortFilterProxyModel::setSourceModel(model);
}

void LockFilterModel::setFilterText(const QString& text) {
    const WordFilter filter(text);
    if (filter == m_filter)
        return;
    m_filter = filter;
    invalidateRowsFilter();
}

void LockFilterModel::setFreeLocks(FreeLocks freeLocks) {
    if (freeLocks == m_freeLocks)
        return;
    m_freeLocks = freeLocks;
    invalidateRowsFilter();
}

void LockFilterModel::setSoundness(Soundness soundness) {
    if (soundness == m_soundness)
        return;
    m_soundness = soundness;
    invalidateRowsFilter();
}

bool LockFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = sourceModel()->index(row, LockTableModel::Name, parent);
    if (m_freeLocks == FreeLocks::Hidden && !index.data(LockTableModel::HeldRole).toBool())
        return false;
    if (m_soundness == Soundness::FaultyOnly && !index.data(LockTableModel::FaultRole).toBool())
        return false;
    return m_filter.isEmpty() || m_filter.accepts(index.data(LockTableModel::FilterRole).toString());
}

bool LockFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (left.column() == LockTableModel::Name)
        return standsBefore(left.row(), right.row());
    if (QSortFilterProxyModel::lessThan(left, right))
        return true;
    return !QSortFilterProxyModel::lessThan(right, left) && standsBefore(left.row(), right.row());
}

bool LockFilterModel::standsBefore(int one, int other) const {
    const auto& locks = static_cast<const LockTableModel&>(*sourceModel());
    return compareAsShown(locks.rowAt(one).lock.name, locks.rowAt(other).lock.name) < 0;
}

}  // namespace lockkeeper::ui

#include "moc_lockfiltermodel.cpp"
