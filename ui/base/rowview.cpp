// SPDX-License-Identifier: Apache-2.0
#include "ui/base/rowview.h"

#include "ui/base/fontchange.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>

namespace lockkeeper::ui {

namespace {

class WordsDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

}  // namespace

void cutAtEnd(QTableView& view, const QList<int>& columns) {
    auto* delegate = new WordsDelegate(&view);
    for (const int column : columns)
        view.setItemDelegateForColumn(column, delegate);
}

void showAsRows(QTableView& view) {
    constexpr int rowPadding = 6;
    view.setSelectionBehavior(QTableView::SelectRows);
    view.setEditTriggers(QTableView::NoEditTriggers);
    view.setTabKeyNavigation(false);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTextElideMode(Qt::ElideMiddle);
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    keepFitted(view,
               [&view] { view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + rowPadding); });
    view.horizontalHeader()->setHighlightSections(false);
    keepRowsInSight(view, 1);
}

void keepRowsInSight(QTableView& view, int rows) {
    keepFitted(view, [&view, rows] {
        constexpr int rowPadding = 8;  // of the highest rows
        const int row = view.fontMetrics().height() + rowPadding;
        view.setMinimumHeight((1 + rows) * row + view.horizontalScrollBar()->sizeHint().height());
    });
}

void copySelectedRows(const QTableView& view) {
    QModelIndexList rows = view.selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < view.model()->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace lockkeeper::ui
