#include "ui/table/lockfiltermodel.h"

#include "ui/table/locktablemodel.h"

namespace lockkeeper::ui {

LockFilterModel::LockFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(LockTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    sort(LockTableModel::Name);
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
    if (QSortFilterProxyModel::lessThan(left, right))
        return true;
    if (left.column() == LockTableModel::Name || QSortFilterProxyModel::lessThan(right, left))
        return false;
    return QSortFilterProxyModel::lessThan(left.siblingAtColumn(LockTableModel::Name),
                                           right.siblingAtColumn(LockTableModel::Name));
}

}  // namespace lockkeeper::ui
