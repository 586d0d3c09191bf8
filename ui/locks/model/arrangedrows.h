// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/rowranges.h"

#include <QAbstractItemModel>

#include <algorithm>
#include <numeric>
#include <vector>

namespace lockkeeper::ui {

// A model of rows without parents that inserts, removes and reorders several rows at once, so that views keep their
// place and their current row. Neighbours come and go with one signal. Many scattered rows come and go with one
// change of the layout, because a view, and the model itself, may pass all rows for each signal. Thread: the model's.
template <typename Model>
class ArrangedRows : public Model {
protected:
    using Model::Model;

    // order: for each row afterwards, its present row.
    void arrange(const std::vector<int>& order) {
        Q_EMIT this->layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        permute(order);
        std::vector<int> after(order.size());
        for (size_t i = 0; i < order.size(); ++i)
            after[static_cast<size_t>(order[i])] = static_cast<int>(i);
        const QModelIndexList before = this->persistentIndexList();
        QModelIndexList moved;
        for (const QModelIndex& kept : before)
            moved << this->index(after[static_cast<size_t>(kept.row())], kept.column());
        this->changePersistentIndexList(before, moved);
        Q_EMIT this->layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }

    // rows: in any order, each once.
    void removeAll(const std::vector<int>& rows) {
        std::vector<RowRange> ranges = rangesOf(rows, 0);
        if (ranges.size() > mostRanges)
            ranges = {moveToEnd(rows)};
        for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
            this->beginRemoveRows({}, range->first, range->last);
            erase(*range);
            this->endRemoveRows();
        }
    }

    // rows: where what is added stands afterwards, in ascending order.
    void insertAll(const std::vector<int>& rows) {
        const std::vector<RowRange> ranges = rangesOf(rows, 0);
        if (ranges.size() > mostRanges) {
            const int present = this->rowCount();
            insertRange({0, static_cast<int>(rows.size()) - 1}, present);
            return arrange(mixedIn(rows, static_cast<size_t>(present)));
        }
        int next = 0;
        for (const RowRange range : ranges) {
            const int last = next + range.last - range.first;
            insertRange({next, last}, range.first);
            next = last + 1;
        }
    }

    // Puts the rows of the model itself into this order, see arrange().
    virtual void permute(const std::vector<int>& order) = 0;
    virtual void erase(RowRange range) = 0;
    // Inserts this range of all rows that are added, numbered from 0, before the present row `before`.
    virtual void put(RowRange added, int before) = 0;

    // The order that brings rows which were appended behind `present` ones into these rows.
    [[nodiscard]] static std::vector<int> mixedIn(const std::vector<int>& rows, size_t present) {
        std::vector<int> order(present + rows.size());
        size_t added = 0;
        for (size_t row = 0; row < order.size(); ++row) {
            const bool isAdded = added < rows.size() && rows[added] == static_cast<int>(row);
            order[row] = static_cast<int>(isAdded ? present + added : row - added);
            added += isAdded ? 1 : 0;
        }
        return order;
    }

private:
    static constexpr size_t mostRanges = 8;

    void insertRange(RowRange added, int before) {
        this->beginInsertRows({}, before, before + added.last - added.first);
        put(added, before);
        this->endInsertRows();
    }

    RowRange moveToEnd(const std::vector<int>& rows) {
        std::vector<bool> isLeaving(static_cast<size_t>(this->rowCount()));
        for (const int row : rows)
            isLeaving[static_cast<size_t>(row)] = true;
        std::vector<int> order(isLeaving.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_partition(order.begin(), order.end(),
                              [&isLeaving](int row) { return !isLeaving[static_cast<size_t>(row)]; });
        arrange(order);
        return {this->rowCount() - static_cast<int>(rows.size()), this->rowCount() - 1};
    }
};

}  // namespace lockkeeper::ui
