// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFontMetrics>
#include <QList>
#include <QString>

#include <algorithm>

class QTableView;

namespace lockkeeper::ui {

// How this program shows rows of text: whole rows are selected, none is edited, long texts are cut in the middle, and
// the rows are as high as a line needs.
void showAsRows(QTableView& view);

// The least height of the view: the titles, so many rows and the scroll bar.
void keepRowsInSight(QTableView& view, int rows);

// For words, which are known by their beginning: a text too long for one of these columns is cut at its end.
void cutAtEnd(QTableView& view, const QList<int>& columns);

// To the clipboard, as they stand in the table: a line each, with tabs between the cells.
void copySelectedRows(const QTableView& view);

// Makes room in a column for this text and `more` pixels. A column that the user has made wider stays so.
template <typename View>
void widenColumn(View& view, int column, const QString& text, int more = 0) {
    constexpr int cellPadding = 24;
    const int width = view.fontMetrics().horizontalAdvance(text) + cellPadding + more;
    view.setColumnWidth(column, std::max(view.columnWidth(column), width));
}

}  // namespace lockkeeper::ui
