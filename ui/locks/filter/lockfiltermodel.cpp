// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/lockfiltermodel.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockkeeper::ui {

void LockFilterModel::setSourceModel(QAbstractItemModel* model) {
    const auto* locks = qobject_cast<const LockTableModel*>(model);
    Q_ASSERT(locks && !sourceModel());
    beginResetModel();
    QAbstractProxyModel::setSourceModel(model);
    showAll();
    endResetModel();
    follow(*locks);
}

void LockFilterModel::follow(const LockTableModel& locks) {
    connect(&locks, &QAbstractItemModel::modelAboutToBeReset, this, &LockFilterModel::beginResetModel);
    connect(&locks, &QAbstractItemModel::modelReset, this, [this] {
        showAll();
        endResetModel();
    });
    connect(&locks, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { onInserted(first, last); });
    connect(&locks, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex&, int first, int last) { onAboutToBeRemoved(first, last); });
    connect(&locks, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex&, int first, int last) { onRemoved(first, last); });
    connect(&locks, &QAbstractItemModel::layoutAboutToBeChanged, this, [this] {
        for (size_t lock = 0; lock < m_rowOf.size(); ++lock)
            m_beforeMove.push_back(this->locks().arrivalAt(static_cast<int>(lock)));
    });
    connect(&locks, &QAbstractItemModel::layoutChanged, this, &LockFilterModel::onMoved);
    connect(&locks, &LockTableModel::rowsChanged, this, &LockFilterModel::onChanged);
    connect(&locks, &QObject::destroyed, this, [this] {
        m_locks.clear();
        m_rowOf.clear();
    });
    connect(&locks, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
}

const LockTableModel& LockFilterModel::locks() const {
    return static_cast<const LockTableModel&>(*sourceModel());
}

// ---- which locks ----

void LockFilterModel::setFilterText(const QString& text) {
    const LockFilter filter(text);
    if (filter == m_filter)
        return;
    m_filter = filter;
    refilterAndArrange();
}

void LockFilterModel::refilterByTime() {
    if (!m_filter.dependsOnTime())
        return;
    m_isFilterOld = m_isOrderKept;
    if (!m_isOrderKept)
        refilter();
}

// The reader has set another filter: rows come and go even while the order is kept.
void LockFilterModel::refilterAndArrange() {
    m_isFilterOld = false;
    refilter();
    if (!m_isInOrder)
        arrangeAll();
}

void LockFilterModel::setFreeLocks(FreeLocks freeLocks) {
    if (freeLocks == m_freeLocks)
        return;
    m_freeLocks = freeLocks;
    refilterAndArrange();
}

void LockFilterModel::setSoundness(Soundness soundness) {
    if (soundness == m_soundness)
        return;
    m_soundness = soundness;
    refilterAndArrange();
}

bool LockFilterModel::isAccepted(int lock) const {
    const QModelIndex index = sourceModel()->index(lock, LockTableModel::Name);
    if (m_freeLocks == FreeLocks::Hidden && index.data(LockTableModel::IdleRole).toBool())
        return false;
    if (m_soundness == Soundness::FaultyOnly && !index.data(LockTableModel::FaultRole).toBool())
        return false;
    return m_filter.accepts(locks(), lock);
}

void LockFilterModel::refilter() {
    std::vector<int> gone;
    std::vector<int> added;
    for (int lock = 0; lock < static_cast<int>(m_rowOf.size()); ++lock) {
        const int row = m_rowOf[static_cast<size_t>(lock)];
        const bool isShown = row >= 0;
        if (isShown == isAccepted(lock))
            continue;
        if (isShown)
            gone.push_back(row);
        else
            added.push_back(lock);
    }
    removeAll(gone);
    insert(added);
}

// ---- in which order ----

LockSorting LockFilterModel::sorting() const {
    return {locks(), m_column, m_order};
}

void LockFilterModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || (column == m_column && order == m_order))
        return;
    m_column = column;
    m_order = order;
    arrangeAll();
}

void LockFilterModel::arrangeAll() {
    m_isInOrder = true;
    arrange(rowsOf(sorting().sorted(m_locks)));
}

void LockFilterModel::keepOrder() {
    m_isInOrder = false;
    Q_EMIT orderKept();
}

void LockFilterModel::setOrderKept(bool kept) {
    m_isOrderKept = kept;
    if (kept || (m_isInOrder && !m_isFilterOld))
        return;
    refilterAndArrange();
}

bool LockFilterModel::areMisplaced(const std::vector<int>& locks) const {
    return std::ranges::any_of(locks, [this, sorting = sorting()](int lock) {
        const auto row = static_cast<size_t>(m_rowOf[static_cast<size_t>(lock)]);
        const bool isAfterLast = row > 0 && !sorting.standsBefore(m_locks[row - 1], lock);
        const bool isBeforeNext = row + 1 == m_locks.size() || sorting.standsBefore(lock, m_locks[row + 1]);
        return isAfterLast || !isBeforeNext;
    });
}

// All other locks are already in order, whatever has changed in these.
void LockFilterModel::putInPlace(const std::vector<int>& locks) {
    if (m_isOrderKept)
        return keepOrder();
    std::vector<bool> isOne(m_rowOf.size());
    for (const int lock : locks)
        isOne[static_cast<size_t>(lock)] = true;
    std::vector<int> others;
    others.reserve(m_locks.size());
    std::ranges::copy_if(m_locks, std::back_inserter(others),
                         [&isOne](int lock) { return !isOne[static_cast<size_t>(lock)]; });
    const std::vector<int> moved = sorting().sorted(locks);
    std::vector<int> rows = rowsOf(others);
    std::ranges::copy(rowsOf(moved), std::back_inserter(rows));
    std::vector<int> order = mixedIn(sorting().placesOf(moved, others), others.size());
    for (int& row : order)
        row = rows[static_cast<size_t>(row)];
    arrange(order);
}

// ---- what happens to the table ----

void LockFilterModel::showAll() {
    m_locks.clear();
    m_rowOf.assign(static_cast<size_t>(locks().rowCount()), -1);
    for (int lock = 0; lock < locks().rowCount(); ++lock) {
        if (isAccepted(lock))
            m_locks.push_back(lock);
    }
    m_locks = sorting().sorted(std::move(m_locks));
    m_isInOrder = true;
    renumberFrom(0);
}

// The table only appends rows.
void LockFilterModel::onInserted(int first, int last) {
    m_rowOf.resize(static_cast<size_t>(last) + 1, -1);
    std::vector<int> added;
    for (int lock = first; lock <= last; ++lock) {
        if (isAccepted(lock))
            added.push_back(lock);
    }
    insert(added);
}

void LockFilterModel::onAboutToBeRemoved(int first, int last) {
    std::vector<int> rows;
    std::copy_if(m_rowOf.begin() + first, m_rowOf.begin() + last + 1, std::back_inserter(rows),
                 [](int row) { return row >= 0; });
    removeAll(rows);
}

void LockFilterModel::onRemoved(int first, int last) {
    m_rowOf.erase(m_rowOf.begin() + first, m_rowOf.begin() + last + 1);
    for (int& lock : m_locks)
        lock -= lock > last ? last - first + 1 : 0;
}

// Locks have moved in the table, which changes nothing of what is shown.
void LockFilterModel::onMoved() {
    const std::vector<LockTableModel::Arrival> before = std::exchange(m_beforeMove, {});
    std::vector<int> rowOf(m_rowOf.size(), -1);
    for (int lock = 0; lock < static_cast<int>(rowOf.size()); ++lock) {
        const auto earlier = std::ranges::lower_bound(before, locks().arrivalAt(lock)) - before.begin();
        const int row = m_rowOf[static_cast<size_t>(earlier)];
        rowOf[static_cast<size_t>(lock)] = row;
        if (row >= 0)
            m_locks[static_cast<size_t>(row)] = lock;
    }
    m_rowOf = std::move(rowOf);
}

void LockFilterModel::onChanged(const std::vector<int>& locks) {
    std::vector<int> gone;
    std::vector<int> added;
    std::vector<int> stay;
    for (const int lock : locks) {
        const int row = m_rowOf[static_cast<size_t>(lock)];
        const bool isToShow = isAccepted(lock);
        if (row >= 0 && (isToShow || m_isOrderKept))
            stay.push_back(lock);
        else if (row >= 0)
            gone.push_back(row);
        else if (isToShow)
            added.push_back(lock);
        m_isFilterOld = m_isFilterOld || (row >= 0 && !isToShow && m_isOrderKept);
    }
    removeAll(gone);
    if (m_isInOrder && areMisplaced(stay))
        putInPlace(stay);
    insert(added);
    announce(stay);
}

// ---- what happens here ----

namespace {

// So many unchanged rows between changed ones are announced with them.
constexpr int bridgedRows = 32;

}  // namespace

void LockFilterModel::insert(std::vector<int> locks) {
    if (locks.empty())
        return;
    m_added = sorting().sorted(std::move(locks));
    insertAll(placesOf(m_added));
    m_added.clear();
}

std::vector<int> LockFilterModel::placesOf(const std::vector<int>& added) {
    std::vector<int> atEnd(added.size());
    std::iota(atEnd.begin(), atEnd.end(), rowCount());
    if (!m_isInOrder)
        return atEnd;
    std::vector<int> inOrder = sorting().placesOf(added, m_locks);
    if (!m_isOrderKept || inOrder == atEnd)
        return inOrder;
    keepOrder();
    return atEnd;
}

void LockFilterModel::put(RowRange added, int before) {
    m_locks.insert(m_locks.begin() + before, m_added.begin() + added.first, m_added.begin() + added.last + 1);
    renumberFrom(before);
}

void LockFilterModel::erase(RowRange range) {
    for (int row = range.first; row <= range.last; ++row)
        m_rowOf[static_cast<size_t>(m_locks[static_cast<size_t>(row)])] = -1;
    m_locks.erase(m_locks.begin() + range.first, m_locks.begin() + range.last + 1);
    renumberFrom(range.first);
}

void LockFilterModel::permute(const std::vector<int>& order) {
    std::vector<int> locks(order.size());
    std::ranges::transform(order, locks.begin(), [this](int row) { return m_locks[static_cast<size_t>(row)]; });
    m_locks = std::move(locks);
    renumberFrom(0);
}

void LockFilterModel::announce(const std::vector<int>& locks) {
    for (const RowRange range : rangesOf(rowsOf(locks), bridgedRows))
        Q_EMIT dataChanged(index(range.first, 0), index(range.last, columnCount() - 1));
}

std::vector<int> LockFilterModel::rowsOf(const std::vector<int>& locks) const {
    std::vector<int> rows(locks.size());
    std::ranges::transform(locks, rows.begin(), [this](int lock) { return m_rowOf[static_cast<size_t>(lock)]; });
    return rows;
}

void LockFilterModel::renumberFrom(int row) {
    for (; row < rowCount(); ++row)
        m_rowOf[static_cast<size_t>(m_locks[static_cast<size_t>(row)])] = row;
}

// ---- as a model ----

QModelIndex LockFilterModel::mapToSource(const QModelIndex& shown) const {
    const bool isHere = shown.isValid() && shown.row() < rowCount();
    return isHere ? locks().index(m_locks[static_cast<size_t>(shown.row())], shown.column()) : QModelIndex();
}

QModelIndex LockFilterModel::mapFromSource(const QModelIndex& source) const {
    const auto lock = static_cast<size_t>(source.row());
    const bool isShown = source.isValid() && lock < m_rowOf.size() && m_rowOf[lock] >= 0;
    return isShown ? index(m_rowOf[lock], source.column()) : QModelIndex();
}

QModelIndex LockFilterModel::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex LockFilterModel::parent(const QModelIndex& child) const {
    Q_UNUSED(child)
    return {};
}

int LockFilterModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int LockFilterModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(LockTableModel::ColumnCount);
}

QVariant LockFilterModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const bool isKnown = sourceModel() && orientation == Qt::Horizontal;
    return isKnown ? locks().headerData(section, orientation, role) : QVariant();
}

}  // namespace lockkeeper::ui

#include "moc_lockfiltermodel.cpp"
