// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/model/arrangedrows.h"
#include "ui/locks/model/locksorting.h"

#include <QAbstractProxyModel>

namespace lockkeeper::ui {

// Filters and sorts the lock table. Rows that compare equal are ordered by name. Many scattered changes are one change
// of the layout: QSortFilterProxyModel reports each of them, and for each renumbers all rows, which took a fifth of the
// time of the GUI while 100,000 locks were found, and most of its longest turns. Thread: the GUI's.
class LockFilterModel final : public ArrangedRows<QAbstractProxyModel> {
    Q_OBJECT
public:
    enum class FreeLocks { Shown, Hidden };
    enum class Soundness { Any, FaultyOnly };

    explicit LockFilterModel(QObject* parent = nullptr) : ArrangedRows(parent) {}

    // To be called once, with a LockTableModel.
    void setSourceModel(QAbstractItemModel* model) override;

    // Whether locks are left out for another reason than being free.
    [[nodiscard]] bool isNarrowed() const { return !m_filter.isEmpty() || m_soundness == Soundness::FaultyOnly; }
    // See LockFilter.
    void setFilterText(const QString& text);
    [[nodiscard]] const QList<FilterMistake>& filterMistakes() const noexcept { return m_filter.mistakes(); }
    // Time has passed; does nothing for a filter that does not ask for times.
    void refilterByTime();
    [[nodiscard]] bool dependsOnTime() const { return m_filter.dependsOnTime(); }
    void setFreeLocks(FreeLocks freeLocks);
    // FaultyOnly: with a diagnosis that is more than information.
    void setSoundness(Soundness soundness);
    [[nodiscard]] FreeLocks freeLocks() const noexcept { return m_freeLocks; }

    // While it is kept, no row moves or is hidden because of a change: new rows come at the end. Only a lock that is
    // not known any more loses its row. Afterwards all are filtered and put in order.
    void setOrderKept(bool kept);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const noexcept { return m_column; }
    [[nodiscard]] Qt::SortOrder sortOrder() const noexcept { return m_order; }

    [[nodiscard]] QModelIndex mapToSource(const QModelIndex& shown) const override;
    [[nodiscard]] QModelIndex mapFromSource(const QModelIndex& source) const override;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override { return rowCount(parent) > 0; }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    // A row would have moved, or come elsewhere, if the order were not kept.
    void orderKept();

private:
    void refilterAndArrange();
    void arrangeAll();
    // Where these rows, which are sorted, stand when they have been added.
    [[nodiscard]] std::vector<int> placesOf(const std::vector<int>& added);
    void keepOrder();
    [[nodiscard]] const LockTableModel& locks() const;
    [[nodiscard]] LockSorting sorting() const;
    void follow(const LockTableModel& locks);
    void showAll();
    void onInserted(int first, int last);
    void onAboutToBeRemoved(int first, int last);
    void onRemoved(int first, int last);
    void onMoved();
    void onChanged(const std::vector<int>& locks);
    void refilter();

    // Rows of the table, as all below that are called locks; the others are rows of this model.
    [[nodiscard]] bool isAccepted(int lock) const;
    // Some of these do not stand where they belong.
    [[nodiscard]] bool areMisplaced(const std::vector<int>& locks) const;
    void putInPlace(const std::vector<int>& locks);
    void insert(std::vector<int> locks);
    void permute(const std::vector<int>& order) override;
    void erase(RowRange range) override;
    void put(RowRange added, int before) override;
    void announce(const std::vector<int>& locks);
    [[nodiscard]] std::vector<int> rowsOf(const std::vector<int>& locks) const;  // which are shown
    void renumberFrom(int row);

    LockFilter m_filter;
    FreeLocks m_freeLocks = FreeLocks::Shown;
    bool m_isOrderKept = false;
    bool m_isInOrder = true;     // always, unless the order is kept
    bool m_isFilterOld = false;  // some rows would be hidden if the order were not kept
    Soundness m_soundness = Soundness::Any;
    int m_column = LockTableModel::State;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    std::vector<int> m_locks;                           // as they are shown
    std::vector<int> m_rowOf;                           // by lock; -1: it is not shown
    std::vector<int> m_added;                           // while they are inserted
    std::vector<LockTableModel::Arrival> m_beforeMove;  // by lock
};

}  // namespace lockkeeper::ui
