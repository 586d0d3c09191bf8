// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/pictureddelegate.h"

#include "ui/base/tonecolors.h"

#include <QApplication>
#include <QPainter>

namespace lockkeeper::ui {

QStyleOptionViewItem PicturedDelegate::paintCell(QPainter& painter, const QStyleOptionViewItem& option,
                                                 const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, &painter, cell.widget);
    return cell;
}

QColor PicturedDelegate::colorOf(const QStyleOptionViewItem& cell, Tone tone) {
    return cell.state.testFlag(QStyle::State_Selected) ? cell.palette.color(QPalette::HighlightedText)
                                                       : toneColor(cell.palette, tone);
}

QColor PicturedDelegate::textColorOf(const QStyleOptionViewItem& cell) {
    return cell.palette.color(cell.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Text);
}

void PicturedDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    option->index = index;
    option->backgroundBrush = qvariant_cast<QBrush>(index.data(Qt::BackgroundRole));
    const QVariant font = index.data(Qt::FontRole);
    if (!font.isValid())
        return;
    option->font = font.value<QFont>().resolve(option->font);
    option->fontMetrics = QFontMetrics(option->font);
}

}  // namespace lockkeeper::ui

#include "moc_pictureddelegate.cpp"
