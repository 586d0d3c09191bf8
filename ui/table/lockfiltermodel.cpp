// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockfiltermodel.h"

#include "ui/words/locktext.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// Is not escaped when it is shown.
bool isPlain(char letter) {
    return letter >= ' ' && letter <= '~' && letter != '\\';
}

char folded(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Bytes of a name. Longer names are ordered by their bytes: comparing them as shown would take too long at each change.
constexpr qsizetype comparedAsShown = 1024;

// For two names with the same beginning: the shorter one first; beyond the compared part, by their bytes.
int compareRest(const QByteArray& a, const QByteArray& b) {
    const bool isLong = a.size() > comparedAsShown;
    if (isLong != (b.size() > comparedAsShown))
        return isLong ? 1 : -1;
    return isLong ? a.compare(b) : 0;
}

int compareHeads(const LockName& one, const LockName& other) {
    const int order = QString::compare(headOf(one, comparedAsShown).display(), headOf(other, comparedAsShown).display(),
                                       Qt::CaseInsensitive);
    return order != 0 ? order : compareRest(one.bytes(), other.bytes());
}

}  // namespace

int compareAsShown(const LockName& one, const LockName& other) {
    const QByteArray& a = one.bytes();
    const QByteArray& b = other.bytes();
    const qsizetype common = std::min({a.size(), b.size(), comparedAsShown});
    for (qsizetype i = 0; i < common; ++i) {
        if (!isPlain(a[i]) || !isPlain(b[i]))
            return compareHeads(one, other);
        if (folded(a[i]) != folded(b[i]))
            return folded(a[i]) < folded(b[i]) ? -1 : 1;
    }
    if (common == comparedAsShown)
        return compareRest(a, b);
    // One is the beginning of the other; the shorter one comes first.
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

LockFilterModel::LockFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(LockTableModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    sort(LockTableModel::State);
}

void LockFilterModel::setSourceModel(QAbstractItemModel* model) {
    Q_ASSERT(!model || qobject_cast<LockTableModel*>(model));
    QSortFilterProxyModel::setSourceModel(model);
}

void LockFilterModel::setFilterText(const QString& text) {
    const LockFilter filter(text);
    if (filter == m_filter)
        return;
    m_filter = filter;
    invalidateRowsFilter();
}

void LockFilterModel::refilterByTime() {
    if (m_filter.dependsOnTime())
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
    if (m_freeLocks == FreeLocks::Hidden && index.data(LockTableModel::IdleRole).toBool())
        return false;
    if (m_soundness == Soundness::FaultyOnly && !index.data(LockTableModel::FaultRole).toBool())
        return false;
    return m_filter.accepts(locks(), row);
}

bool LockFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (left.column() == LockTableModel::Name)
        return standsBefore(left.row(), right.row());
    if (left.column() == LockTableModel::State) {
        const int one = locks().urgencyAt(left.row());
        const int other = locks().urgencyAt(right.row());
        return one != other ? one < other : standsBefore(left.row(), right.row());
    }
    if (QSortFilterProxyModel::lessThan(left, right))
        return true;
    return !QSortFilterProxyModel::lessThan(right, left) && standsBefore(left.row(), right.row());
}

bool LockFilterModel::standsBefore(int one, int other) const {
    return compareAsShown(locks().nameAt(one), locks().nameAt(other)) < 0;
}

const LockTableModel& LockFilterModel::locks() const {
    return static_cast<const LockTableModel&>(*sourceModel());
}

}  // namespace lockkeeper::ui

#include "moc_lockfiltermodel.cpp"
