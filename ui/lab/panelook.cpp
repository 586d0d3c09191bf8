// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/panelook.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/tonecolors.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QTreeWidget>

namespace lockkeeper::ui {

namespace {

struct PaneLook {
    Q_DECLARE_TR_FUNCTIONS(PaneLook)
};

QString wordOf(Change change) {
    switch (change) {
        case Change::None:
            return {};
        case Change::New:
            return PaneLook::tr("New since the moment before");
        case Change::Changed:
            return PaneLook::tr("Changed since the moment before");
        case Change::Gone:
            return PaneLook::tr("Gone since the moment before");
    }
    return {};
}

}  // namespace

void showAsLabPane(QTreeWidget& tree, const QString& objectName, int columns) {
    tree.setObjectName(objectName);
    tree.setColumnCount(columns);
    tree.setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree.setUniformRowHeights(true);
    tree.setAllColumnsShowFocus(true);
    tree.setIndentation(tree.fontMetrics().height());
    tree.setMinimumSize(120, 60);
    tree.setTextElideMode(Qt::ElideRight);
}

void explainRow(QTreeWidgetItem& item, const QString& more) {
    const int columns = item.treeWidget()->columnCount();
    QStringList texts;
    for (int column = 0; column < columns; ++column)
        texts += item.text(column);
    texts.removeAll(QString());
    const QString row = texts.join(QStringLiteral(" · "));
    for (int column = 0; column < columns; ++column)
        item.setToolTip(column, helpTip(row + QLatin1Char('\n') + more));
}

void markChange(QTreeWidgetItem& item, Change change) {
    explainRow(item, wordOf(change));
    if (change == Change::None)
        return;
    const QPalette palette = item.treeWidget()->palette();
    const QColor color = toneColor(palette, change == Change::Gone ? Tone::Danger : Tone::Good);
    const QColor background = mixed(palette.color(QPalette::Base), color, 0.14);
    for (int column = 0; column < item.columnCount(); ++column) {
        QFont font = item.treeWidget()->font();
        font.setBold(change != Change::Gone);
        font.setStrikeOut(change == Change::Gone);
        item.setFont(column, font);
        item.setBackground(column, background);
    }
}

void markNetworkFault(QTreeWidgetItem& item) {
    item.setIcon(0, icon(QStringLiteral("warning"), Tone::Warning));
}

void fitColumns(QTreeWidget& tree) {
    const int most = std::max(tree.viewport()->width() * 2 / 3, 80);
    for (int column = 0; column + 1 < tree.columnCount(); ++column) {
        tree.resizeColumnToContents(column);
        tree.setColumnWidth(column, std::min(tree.columnWidth(column), most));
    }
}

}  // namespace lockkeeper::ui
