// SPDX-License-Identifier: Apache-2.0
#include "ui/base/shorteningdelegate.h"

#include <QApplication>

namespace lockkeeper::ui {

namespace {

// The margin on both sides of a text or an icon, as QCommonStyle lays out a cell.
int marginOf(const QStyle& style, const QWidget* view) {
    return style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, view) + 1;
}

}  // namespace

ShorteningDelegate::ShorteningDelegate(Qt::TextElideMode cut, int shortRole, QObject* parent)
    : QStyledItemDelegate(parent), m_cut(cut), m_shortRole(shortRole) {}

void ShorteningDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = m_cut;
    if (option->rect.width() <= 0)
        return;
    const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() -
                     2 * marginOf(*style, option->widget);
    if (option->fontMetrics.horizontalAdvance(option->text) <= room)
        return;
    if (const QString shortText = index.data(m_shortRole).toString(); !shortText.isEmpty())
        option->text = shortText;
}

int closeWidth(const QWidget& view, const QString& text, bool icon) {
    const QStyle& style = *view.style();
    const int margins = 2 * marginOf(style, &view);
    const int iconRoom = icon ? style.pixelMetric(QStyle::PM_SmallIconSize, nullptr, &view) + margins : 0;
    // A fraction of a pixel counts as one.
    return view.fontMetrics().horizontalAdvance(text) + 1 + margins + iconRoom;
}

}  // namespace lockkeeper::ui

#include "moc_shorteningdelegate.cpp"
