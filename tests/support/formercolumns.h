// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"

#include <QDataStream>
#include <QHeaderView>
#include <QIODevice>
#include <QStandardItemModel>
#include <QTableView>

#include <functional>

namespace lockkeeper::test {

// The number of columns that version 0.1 had.
constexpr int formerColumnCount = 12;

// As version 0.1 saved the columns of this table, which it would have had without the column that came later. width: of
// a column of the table.
inline QByteArray formerColumns(const QTableView& table, const std::function<int(int column)>& width) {
    const QHeaderView& present = *table.horizontalHeader();
    const int added = ui::LockTableModel::WaitingSinceColumn;
    const auto former = [added](int column) { return column < added ? column : column - 1; };
    QStandardItemModel model(0, formerColumnCount);
    QTableView earlier;
    earlier.setModel(&model);
    QHeaderView& header = *earlier.horizontalHeader();
    int place = 0;
    for (int visual = 0; visual < present.count(); ++visual) {
        const int column = present.logicalIndex(visual);
        if (column == added)
            continue;
        header.moveSection(header.visualIndex(former(column)), place++);
        header.setSectionHidden(former(column), present.isSectionHidden(column));
    }
    header.setSortIndicator(former(present.sortIndicatorSection()), present.sortIndicatorOrder());
    header.setSortIndicatorShown(true);
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << quint32{0x4c4b4304} << header.saveState() << false;
    for (int column = 0; column < present.count(); ++column) {
        if (column != added)
            stream << width(column);
    }
    return bytes;
}

}  // namespace lockkeeper::test
