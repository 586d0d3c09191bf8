// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/heartbeatdelegate.h"

#include "ui/base/tonecolors.h"
#include "ui/locks/model/heartbeat.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/locktext.h"

#include <QPainter>

namespace lockkeeper::ui {

namespace {

constexpr int narrowestPicture = 40;
constexpr int widestPicture = 72;
constexpr int usualNumber = 9999;

QPointF placed(const QRectF& picture, QPointF share) {
    return {picture.left() + share.x() * picture.width(), picture.bottom() - share.y() * picture.height()};
}

void paintSaw(QPainter& painter, const QRectF& picture, const Heartbeat& heartbeat, const QColor& color) {
    QPolygonF line;
    for (const QPointF point : heartbeat.saw)
        line << placed(picture, point);
    painter.setPen(QPen(color, 1.2, heartbeat.isLive ? Qt::SolidLine : Qt::DotLine));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (const double beat : heartbeat.beats)
        painter.drawEllipse(placed(picture, {beat, 1}), 1.8, 1.8);
}

// A hollow mark where the next renewal is due, a filled bar where it is late: differs by its shape, too.
void paintDue(QPainter& painter, const QRectF& picture, const Heartbeat& heartbeat, const QColor& color) {
    const QPointF place = placed(picture, {*heartbeat.due, 1});
    painter.setPen(QPen(color, 1));
    painter.setBrush(Qt::NoBrush);
    if (heartbeat.isLate)
        painter.fillRect(QRectF(place.x() - 1, picture.top(), 2, picture.height()), color);
    else
        painter.drawEllipse(place, 1.8, 1.8);
}

}  // namespace

int HeartbeatDelegate::closeWidth(const QFontMetrics& metrics, const QString& number) {
    return metrics.horizontalAdvance(number) + narrowestPicture + 3 * padding + 1;
}

void HeartbeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QStyleOptionViewItem cell = paintCell(*painter, option, index);
    const auto heartbeat = index.data(LockTableModel::HeartbeatRole).value<Heartbeat>();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect inner = cell.rect.adjusted(padding, 0, -padding, 0);
    // Leaves room for a usual number, so that all pictures of a column end at one line.
    const int numbers = cell.fontMetrics.horizontalAdvance(numberText(usualNumber));
    const int width = std::min(inner.width() - numbers - padding, widestPicture);
    QRect text = inner;
    if (width >= narrowestPicture) {
        const int inset = cell.rect.height() / 5;
        const QRectF picture(inner.left(), cell.rect.top() + inset, width, cell.rect.height() - 2 * inset);
        const Tone tone = heartbeat.isLive ? Tone::Info : Tone::Quiet;
        if (heartbeat.saw.size() > 1)
            paintSaw(*painter, picture, heartbeat, colorOf(cell, tone));
        if (heartbeat.due)
            paintDue(*painter, picture, heartbeat,
                     colorOf(cell, heartbeat.isLate && heartbeat.isLive ? Tone::Danger : tone));
        text.setLeft(inner.left() + width + padding);
    }
    painter->setPen(heartbeat.isLive ? textColorOf(cell) : colorOf(cell, Tone::Quiet));
    painter->setFont(cell.font);
    painter->drawText(text, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                      cell.fontMetrics.elidedText(heartbeat.count, Qt::ElideRight, text.width()));
    painter->restore();
}

QSize HeartbeatDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {closeWidth(option.fontMetrics, numberText(usualNumber)) + widestPicture - narrowestPicture,
            option.fontMetrics.height()};
}

}  // namespace lockkeeper::ui

#include "moc_heartbeatdelegate.cpp"
