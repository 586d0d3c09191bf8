// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"

#include <QList>

#include <optional>

class QSettings;

namespace lockkeeper::ui {

// Order, widths and visibility of the columns of the table of locks, and by which one it is sorted. A value.
struct ColumnArrangement {
    static constexpr int narrowest = 20;  // pixels
    static constexpr int widest = 4000;

    struct Place {
        LockTableModel::Column column = LockTableModel::State;
        int width = narrowest;  // where there is room
        bool isShown = true;

        friend bool operator==(const Place&, const Place&) = default;
    };

    QList<Place> places;  // from left to right
    LockTableModel::Column sorted = LockTableModel::State;
    Qt::SortOrder order = Qt::AscendingOrder;

    // With the columns of `usual` that are missing, each behind the column that it is usually behind.
    [[nodiscard]] ColumnArrangement completedFrom(const ColumnArrangement& usual) const;

    friend bool operator==(const ColumnArrangement&, const ColumnArrangement&) = default;
};

void saveArrangement(QSettings& settings, const ColumnArrangement& arrangement);
// Has each known column once at most. Nothing if none was saved. What version 0.1 has saved is read, too. See
// storedvalues.h.
[[nodiscard]] std::optional<ColumnArrangement> storedArrangement(QSettings& settings);

}  // namespace lockkeeper::ui
