// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/ttldelegate.h"

#include "ui/base/tonecolors.h"
#include "ui/locks/model/locktablemodel.h"

#include <QPainter>

namespace lockkeeper::ui {

namespace {

constexpr int barHeight = 8;
constexpr int narrowestBar = 28;
constexpr int widestBar = 220;

bool isBarred(TtlBar::Kind kind) {
    return kind == TtlBar::Kind::Running || kind == TtlBar::Kind::RunOut || kind == TtlBar::Kind::Frozen;
}

void paintBar(QPainter& painter, const QStyleOptionViewItem& option, const QColor& fill, const QRect& place,
              const TtlBar& bar) {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor under = option.palette.color(selected ? QPalette::Highlight : QPalette::Base);
    const QRectF track = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(mixed(under, fill, 0.55), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(track, 2, 2);
    if (bar.fraction <= 0)
        return;
    QRectF filled = QRectF(place).adjusted(2, 2, -2, -2);
    filled.setWidth(std::max(1.0, filled.width() * bar.fraction));
    // Hatched: the time stands still.
    painter.fillRect(filled, bar.kind == TtlBar::Kind::Frozen ? QBrush(fill, Qt::BDiagPattern) : QBrush(fill));
}

}  // namespace

int TtlDelegate::closeWidth(const QFontMetrics& metrics, const QString& text) {
    return metrics.horizontalAdvance(text) + 1 + 2 * padding;
}

TtlDelegate::Layout TtlDelegate::layout(const QRect& cell, const QFontMetrics& metrics) {
    const QRect inner = cell.adjusted(padding, 0, -padding, 0);
    // Leaves room for the longest usual text, so that all bars of a column end at one line.
    const int textWidth = metrics.horizontalAdvance(longestTtlText());
    const int barWidth = std::min(inner.width() - textWidth - padding, widestBar);
    if (barWidth < narrowestBar)
        return {QRect(), inner};
    const QRect bar(inner.left(), inner.center().y() - barHeight / 2, barWidth, barHeight);
    return {bar, inner.adjusted(barWidth + padding, 0, 0, 0)};
}

void TtlDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QStyleOptionViewItem cell = paintCell(*painter, option, index);
    const TtlBar bar = index.data(LockTableModel::TtlBarRole).value<TtlBar>();
    if (bar.kind == TtlBar::Kind::None)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    Layout places = layout(cell.rect, cell.fontMetrics);
    const bool fits = cell.fontMetrics.horizontalAdvance(bar.text) <= places.text.width();
    if (isBarred(bar.kind) && places.bar.isValid() && fits)
        paintBar(*painter, cell, colorOf(cell, bar.kind == TtlBar::Kind::Frozen ? Tone::Quiet : Tone::Info), places.bar,
                 bar);
    else
        places.text = cell.rect.adjusted(padding, 0, -padding, 0);
    const bool isCut = cell.fontMetrics.horizontalAdvance(bar.text) > places.text.width();
    const QString text = isCut ? index.data(LockTableModel::ShortRole).toString() : bar.text;
    painter->setPen(textColor(cell, bar.kind));
    painter->setFont(cell.font);
    painter->drawText(places.text, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                      cell.fontMetrics.elidedText(text, Qt::ElideRight, places.text.width()));
    painter->restore();
}

QColor TtlDelegate::textColor(const QStyleOptionViewItem& cell, TtlBar::Kind kind) {
    if (kind == TtlBar::Kind::NeverExpires)
        return colorOf(cell, Tone::Danger);
    return kind == TtlBar::Kind::Frozen ? colorOf(cell, Tone::Quiet) : textColorOf(cell);
}

QSize TtlDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {option.fontMetrics.horizontalAdvance(longestTtlText()) + 3 * padding + 2 * narrowestBar,
            option.fontMetrics.height()};
}

}  // namespace lockkeeper::ui

#include "moc_ttldelegate.cpp"
