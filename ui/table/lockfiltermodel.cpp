#include "ui/table/lockfiltermodel.h"

#include "ui/table/locktablemodel.h"

#include <algorithm>

namespace lockkeeper::ui {

LockFilterModel::LockFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(LockTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    sort(LockTableModel::Name);
}

void LockFilterModel::setFilterText(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words == m_words)
        return;
    m_words = words;
    invalidateRowsFilter();
}

void LockFilterModel::setFreeLocks(FreeLocks freeLocks) {
    if (freeLocks == m_freeLocks)
        return;
    m_freeLocks = freeLocks;
    invalidateRowsFilter();
}

bool LockFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = sourceModel()->index(row, LockTableModel::Name, parent);
    if (m_freeLocks == FreeLocks::Hidden && !index.data(LockTableModel::HeldRole).toBool())
        return false;
    if (m_words.isEmpty())
        return true;
    const QString text = index.data(LockTableModel::FilterRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
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
