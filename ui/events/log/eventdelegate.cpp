// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventdelegate.h"

#include "ui/base/icons.h"
#include "ui/base/tonecolors.h"
#include "ui/events/log/eventfiltermodel.h"
#include "ui/events/log/eventlogmodel.h"

#include <QAbstractItemView>
#include <QPainter>

namespace lockkeeper::ui {

EventDelegate::EventDelegate(const EventLogModel& log, const EventFilterModel& shown, QAbstractItemView& view)
    : QStyledItemDelegate(&view), m_log(log), m_shown(shown), m_view(view) {}

void EventDelegate::setLed(const QModelIndex& event) {
    m_led = event;
    m_view.viewport()->update();
}

void EventDelegate::setCrosshair(const std::optional<WallTime>& at) {
    const int before = crosshairRow();
    m_crosshair = at;
    if (crosshairRow() != before)
        m_view.viewport()->update();
}

// The newest event is the first.
int EventDelegate::crosshairRow() const {
    if (!m_crosshair)
        return -1;
    const auto isLater = [this](int row) {
        return m_log.eventAt(m_shown.mapToSource(m_shown.index(row, 0)).row()).at > *m_crosshair;
    };
    int row = 0;
    int end = m_shown.rowCount();
    // By hand, because Clang 14 does not compile std::views::iota of this standard library.
    while (row < end) {
        const int middle = row + (end - row) / 2;
        if (isLater(middle))
            row = middle + 1;
        else
            end = middle;
    }
    return row == m_shown.rowCount() ? -1 : row;
}

void EventDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.row() != crosshairRow())
        return;
    painter->save();
    painter->setPen(QPen(option.palette.color(QPalette::Text), 1, Qt::DashLine));
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->restore();
}

void EventDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == EventLogModel::Detail)
        option->textElideMode = Qt::ElideRight;
    if (!m_led.isValid() || m_shown.mapToSource(index).row() != m_led.row())
        return;
    option->backgroundBrush = toneBackground(option->palette, Tone::Info);
    if (index.column() != EventLogModel::Time)
        return;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = icon(QStringLiteral("play"), Tone::Info);
}

}  // namespace lockkeeper::ui

#include "moc_eventdelegate.cpp"
