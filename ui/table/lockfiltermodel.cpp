// SPDX-License-Identifier: Apache-2.0
#include "ui/table/lockfiltermodel.h"

#include "ui/table/lockorder.h"
#include "ui/table/rowranges.h"

#include <algorithm>
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
    refilter();
}

void LockFilterModel::refilterByTime() {
    if (m_filter.dependsOnTime())
        refilter();
}

void LockFilterModel::setFreeLocks(FreeLocks freeLocks) {
    if (freeLocks == m_freeLocks)
        return;
    m_freeLocks = freeLocks;
    refilter();
}

void LockFilterModel::setSoundness(Soundness soundness) {
    if (soundness == m_soundness)
        return;
    m_soundness = soundness;
    refilter();
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
    remove(gone);
    insert(added);
}

// ---- in which order ----

void LockFilterModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || (column == m_column && order == m_order))
        return;
    m_column = column;
    m_order = order;
    arrange(sorted(m_locks));
}

namespace {

int compareValues(const QVariant& one, const QVariant& other) {
    if (one.typeId() == QMetaType::QString)
        return QString::compare(one.toString(), other.toString(), Qt::CaseInsensitive);
    const QPartialOrdering order = QVariant::compare(one, other);
    return order == QPartialOrdering::Less ? -1 : order == QPartialOrdering::Greater ? 1 : 0;
}

}  // namespace

int LockFilterModel::compare(int one, int other) const {
    int order = 0;
    if (m_column == LockTableModel::State) {
        order = locks().urgencyAt(one) - locks().urgencyAt(other);
    } else if (m_column != LockTableModel::Name) {
        const auto valueOf = [this](int lock) { return locks().index(lock, m_column).data(LockTableModel::SortRole); };
        order = compareValues(valueOf(one), valueOf(other));
    }
    if (order == 0)
        order = compareAsShown(locks().nameAt(one), locks().nameAt(other));
    return order != 0 ? order : locks().nameAt(one).bytes().compare(locks().nameAt(other).bytes());
}

bool LockFilterModel::standsBefore(int one, int other) const {
    return m_order == Qt::AscendingOrder ? compare(one, other) < 0 : compare(other, one) < 0;
}

std::vector<int> LockFilterModel::sorted(std::vector<int> locks) const {
    std::ranges::sort(locks, [this](int one, int other) { return standsBefore(one, other); });
    return locks;
}

// Does not compare those that stand already: to fetch the names of 100,000 locks takes longer than all the rest.
std::vector<int> LockFilterModel::woven(const std::vector<int>& among, const std::vector<Block>& blocks) {
    std::vector<int> all;
    auto next = among.begin();
    for (const Block& block : blocks) {
        all.insert(all.end(), next, among.begin() + block.place);
        all.insert(all.end(), block.locks.begin(), block.locks.end());
        next = among.begin() + block.place;
    }
    all.insert(all.end(), next, among.end());
    return all;
}

std::vector<LockFilterModel::Block> LockFilterModel::blocksOf(std::vector<int> locks, const std::vector<int>& among) const {
    const auto before = [this](int one, int other) { return standsBefore(one, other); };
    std::vector<Block> blocks;
    for (const int lock : sorted(std::move(locks))) {
        const auto place = static_cast<int>(std::ranges::lower_bound(among, lock, before) - among.begin());
        if (blocks.empty() || blocks.back().place != place)
            blocks.push_back({place, {}});
        blocks.back().locks.push_back(lock);
    }
    return blocks;
}

bool LockFilterModel::areMisplaced(const std::vector<int>& locks) const {
    return std::ranges::any_of(locks, [this](int lock) {
        const auto row = static_cast<size_t>(m_rowOf[static_cast<size_t>(lock)]);
        const bool isAfterLast = row > 0 && !standsBefore(m_locks[row - 1], lock);
        const bool isBeforeNext = row + 1 == m_locks.size() || standsBefore(lock, m_locks[row + 1]);
        return isAfterLast || !isBeforeNext;
    });
}

// The others stand in their order, whatever has happened to these.
void LockFilterModel::putInPlace(const std::vector<int>& locks) {
    std::vector<bool> isOne(m_rowOf.size());
    for (const int lock : locks)
        isOne[static_cast<size_t>(lock)] = true;
    std::vector<int> others;
    others.reserve(m_locks.size());
    std::ranges::copy_if(m_locks, std::back_inserter(others), [&isOne](int lock) { return !isOne[static_cast<size_t>(lock)]; });
    arrange(woven(others, blocksOf(locks, others)));
}

// ---- what happens to the table ----

void LockFilterModel::showAll() {
    m_locks.clear();
    m_rowOf.assign(static_cast<size_t>(locks().rowCount()), -1);
    for (int lock = 0; lock < locks().rowCount(); ++lock) {
        if (isAccepted(lock))
            m_locks.push_back(lock);
    }
    m_locks = sorted(std::move(m_locks));
    renumberFrom(0);
}

// The table appends.
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
    std::copy_if(m_rowOf.begin() + first, m_rowOf.begin() + last + 1, std::back_inserter(rows), [](int row) { return row >= 0; });
    remove(rows);
}

void LockFilterModel::onRemoved(int first, int last) {
    m_rowOf.erase(m_rowOf.begin() + first, m_rowOf.begin() + last + 1);
    for (int& lock : m_locks)
        lock -= lock > last ? last - first + 1 : 0;
}

// Locks stand elsewhere in the table, which changes nothing of what is shown.
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
        if (row >= 0 && isToShow)
            stay.push_back(lock);
        else if (row >= 0)
            gone.push_back(row);
        else if (isToShow)
            added.push_back(lock);
    }
    remove(gone);
    if (areMisplaced(stay))
        putInPlace(stay);
    insert(added);
    announce(stay);
}

// ---- what happens here ----

namespace {

// Beyond this many separate blocks one change of the layout is cheaper.
constexpr size_t mostBlocks = 8;
// Of changed rows: so many others between them are announced with them.
constexpr int bridgedRows = 32;

}  // namespace

void LockFilterModel::insert(const std::vector<int>& locks) {
    if (locks.empty())
        return;
    const std::vector<Block> blocks = blocksOf(locks, m_locks);
    if (blocks.size() > mostBlocks) {
        std::vector<int> all = woven(m_locks, blocks);
        insertAt(rowCount(), locks);
        return arrange(std::move(all));
    }
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
        insertAt(block->place, block->locks);
}

void LockFilterModel::insertAt(int row, const std::vector<int>& locks) {
    beginInsertRows({}, row, row + static_cast<int>(locks.size()) - 1);
    m_locks.insert(m_locks.begin() + row, locks.begin(), locks.end());
    renumberFrom(row);
    endInsertRows();
}

void LockFilterModel::remove(const std::vector<int>& rows) {
    std::vector<RowRange> ranges = rangesOf(rows, 0);
    if (ranges.size() > mostBlocks) {
        std::vector<bool> isLeaving(m_locks.size());
        for (const int row : rows)
            isLeaving[static_cast<size_t>(row)] = true;
        std::vector<int> all = m_locks;
        std::ranges::stable_partition(all, [&](int lock) { return !isLeaving[static_cast<size_t>(m_rowOf[static_cast<size_t>(lock)])]; });
        arrange(std::move(all));
        ranges = {{rowCount() - static_cast<int>(rows.size()), rowCount() - 1}};
    }
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
        beginRemoveRows({}, range->first, range->last);
        for (int row = range->first; row <= range->last; ++row)
            m_rowOf[static_cast<size_t>(m_locks[static_cast<size_t>(row)])] = -1;
        m_locks.erase(m_locks.begin() + range->first, m_locks.begin() + range->last + 1);
        renumberFrom(range->first);
        endRemoveRows();
    }
}

// The same locks in another order.
void LockFilterModel::arrange(std::vector<int> locks) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> kept;
    for (const QModelIndex& index : before)
        kept.push_back(m_locks[static_cast<size_t>(index.row())]);
    m_locks = std::move(locks);
    renumberFrom(0);
    QModelIndexList after;
    for (size_t i = 0; i < kept.size(); ++i)
        after << index(m_rowOf[static_cast<size_t>(kept[i])], before[static_cast<qsizetype>(i)].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void LockFilterModel::announce(const std::vector<int>& locks) {
    std::vector<int> rows;
    std::ranges::transform(locks, std::back_inserter(rows), [this](int lock) { return m_rowOf[static_cast<size_t>(lock)]; });
    for (const RowRange range : rangesOf(std::move(rows), bridgedRows))
        Q_EMIT dataChanged(index(range.first, 0), index(range.last, columnCount() - 1));
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
